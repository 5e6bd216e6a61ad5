import { setTimeout as sleep } from "node:timers/promises";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { sha256 } from "../../shared/kernel/digest.ts";
import { customResource } from "./answer.ts";

const PropertiesSchema = z.object({ Secrets: z.array(z.string().startsWith("arn:")).min(1) });

/** IAM needs seconds to apply a policy that names a new secret. */
const ATTEMPTS = 10;
const PAUSE_MS = 3_000;

/** Shorter secrets could be guessed with their hashes. */
const SecretSchema = z.string().min(32);

/** The used part of a Secrets Manager client. */
export interface SecretsApi {
  send(command: GetSecretValueCommand): Promise<{ SecretString?: string | undefined }>;
}

/** Custom resource `Custom::OriginHashes`: hashes with which functions verify CloudFront's secrets. */
export const handler = customResource(
  () => "origin-hashes",
  async ({ RequestType, ResourceProperties }) => {
    if (RequestType === "Delete") return undefined;
    const { Secrets } = PropertiesSchema.parse(ResourceProperties);
    return { Hashes: await hashesOf(new SecretsManagerClient(), Secrets) };
  },
);

/**
 * SHA-256 in hex of each secret, comma-separated. Throws if a secret cannot be read, or is so short that its hash would
 * reveal it.
 */
export async function hashesOf(secrets: SecretsApi, arns: string[], pauseMs = PAUSE_MS): Promise<string> {
  const hashes: string[] = [];
  for (const arn of arns) hashes.push(sha256(await readSecret(secrets, arn, pauseMs)));
  return hashes.join(",");
}

async function readSecret(secrets: SecretsApi, arn: string, pauseMs: number): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId: arn }));
      return SecretSchema.parse(SecretString);
    } catch (error) {
      const isRefused = error instanceof Error && error.name === "AccessDeniedException";
      if (!isRefused || attempt === ATTEMPTS) throw error;
      await sleep(pauseMs);
    }
  }
}
