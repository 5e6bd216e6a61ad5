import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import type { SecretName } from "../../ports/secret-names.ts";
import type { Secrets } from "../../ports/secrets.ts";
import { attempts } from "./backoff.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";

export function openSecrets(environment: Environment): Secrets {
  const prefix = required(environment, ENVIRONMENT.secretPrefix);
  return new ManagedSecrets(new SecretsManagerClient(), prefix, environment[ENVIRONMENT.secretEncryption]);
}

/** Secrets on Secrets Manager; names have a prefix, so that functions can be granted only this service's secrets. */
export class ManagedSecrets implements Secrets {
  readonly #client: SecretsManagerClient;
  readonly #prefix: string;
  readonly #key: string | undefined;

  /** `key` is the KMS key of new secrets; the default is Secrets Manager's own. */
  constructor(client: SecretsManagerClient, prefix: string, key?: string) {
    this.#client = client;
    this.#prefix = prefix;
    this.#key = key;
  }

  async get(name: SecretName): Promise<string | undefined> {
    try {
      const { SecretString } = await this.#client.send(new GetSecretValueCommand({ SecretId: this.#prefix + name }));
      return SecretString;
    } catch (error) {
      if (error instanceof ResourceNotFoundException) return undefined;
      throw error;
    }
  }

  async putIfAbsent(name: SecretName, value: string): Promise<string> {
    const existing = await this.get(name);
    if (existing !== undefined) return existing;
    try {
      const secret = { Name: this.#prefix + name, SecretString: value, KmsKeyId: this.#key };
      await this.#client.send(new CreateSecretCommand(secret));
      return value;
    } catch (error) {
      if (!(error instanceof ResourceExistsException)) throw error;
      return this.#getConcurrentlyCreated(name);
    }
  }

  async remove(name: SecretName): Promise<void> {
    const SecretId = this.#prefix + name;
    try {
      await this.#client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }));
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw error;
    }
  }

  /** A secret that another process created exists at once but may not be readable for a moment. */
  async #getConcurrentlyCreated(name: SecretName): Promise<string> {
    for await (const _attempt of attempts()) {
      const existing = await this.get(name);
      if (existing !== undefined) return existing;
    }
    throw new Error(`the secret '${this.#prefix}${name}' exists but has no value`);
  }
}
