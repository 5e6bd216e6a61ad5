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

it("waits for the value of a secret that another maker has just created", async () => {
  const exists = new ResourceExistsException({ message: "exists", $metadata: {} });
  manager.on(GetSecretValueCommand).rejectsOnce(absent).rejectsOnce(absent).resolves({ SecretString: "theirs" });
  manager.on(CreateSecretCommand).rejects(exists);
  expect(await secrets.putIfAbsent("key", "ours")).toBe("theirs");
  expect(manager.commandCalls(CreateSecretCommand)[0]?.args[0].input.Name).toBe("stage/key");
});

it("passes on what is no answer", async () => {
  manager.on(GetSecretValueCommand).rejects(new Error("access denied"));
  await expect(secrets.get("key")).rejects.toThrow("access denied");
});
