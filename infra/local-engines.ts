import { ENVIRONMENT } from "../shared/adapters/aws/environment.ts";

/** Addresses of compose.yaml's engines; the environment may override them. */
export const LOCAL_ENGINES = {
  AWS_ENDPOINT_URL_DYNAMODB: "http://localhost:8000",
  AWS_ENDPOINT_URL_S3: "http://localhost:9000",
  AWS_ENDPOINT_URL_SQS: "http://localhost:9324",
  AWS_ENDPOINT_URL_SECRETS_MANAGER: "http://localhost:5000",
  AWS_ENDPOINT_URL_SESV2: "http://localhost:5000",
  [ENVIRONMENT.searchEndpoint]: "http://localhost:9200",
};

/** Their account credentials. */
export const LOCAL_ACCOUNT = {
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "engine",
  AWS_SECRET_ACCESS_KEY: "engine-secret",
};
