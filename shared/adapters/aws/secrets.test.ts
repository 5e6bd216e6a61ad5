import {
  CreateSecretCommand,
  GetSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, expect, it } from "vitest";
import { openSecrets } from "./secrets.ts";

const manager = mockClient(SecretsManagerClient);
const secrets = openSecrets({ SECRET_PREFIX: "stage/" });
const absent = new ResourceNotFoundException({ message: "absent", $metadata: {} });

afterEach(() => manager.reset());

it("waits for the value of a secret that another process has just created", async () => {
  const exists = new ResourceExistsException({ message: "exists", $metadata: {} });
  manager.on(GetSecretValueCommand).rejectsOnce(absent).rejectsOnce(absent).resolves({ SecretString: "theirs" });
  manager.on(CreateSecretCommand).rejects(exists);
  expect(await secrets.putIfAbsent("sealing/key", "ours")).toBe("theirs");
  expect(manager.commandCalls(CreateSecretCommand)[0]?.args[0].input.Name).toBe("stage/sealing/key");
});

it("throws other errors", async () => {
  manager.on(GetSecretValueCommand).rejects(new Error("access denied"));
  await expect(secrets.get("sealing/key")).rejects.toThrow("access denied");
});

it("encrypts new secrets with the deployment's key if there is one", async () => {
  const key = "arn:aws:kms:eu-central-1:123456789012:key/ours";
  manager.on(GetSecretValueCommand).rejects(absent);
  manager.on(CreateSecretCommand).resolves({});
  await openSecrets({ SECRET_PREFIX: "stage/", SECRET_ENCRYPTION: key }).putIfAbsent("sealing/name", "value");
  await secrets.putIfAbsent("sealing/name", "value");
  const keys = manager.commandCalls(CreateSecretCommand).map(({ args }) => args[0].input.KmsKeyId);
  expect(keys).toEqual([key, undefined]);
});
