import { setTimeout as sleep } from "node:timers/promises";
import { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod";
import { sha256 } from "../../shared/kernel/digest.ts";
import { customResource } from "./answer.ts";

const PropertiesSchema = z.object({ Secrets: z.array(z.string().startsWith("arn:")).min(1) });

/** A policy that names a new secret was put down a moment before, and IAM takes seconds to know of it. */
const ATTEMPTS = 10;
const PAUSE_MS = 3_000;

/** Shorter ones can be guessed, and their hashes tell whether that was right. */
const SecretSchema = z.string().min(32);

/** The part of a Secrets Manager client this needs. */
export interface SecretsApi {
  send(command: GetSecretValueCommand): Promise<{ SecretString?: string | undefined }>;
}

/** Custom resource `Custom::OriginHashes`: by what functions know the secrets that CloudFront shows, and no others can. */
export const handler = customResource(
  () => "origin-hashes",
  async ({ RequestType, ResourceProperties }) => {
    if (RequestType === "Delete") return undefined;
    const { Secrets } = PropertiesSchema.parse(ResourceProperties);
    return { Hashes: await hashesOf(new SecretsManagerClient(), Secrets) };
  },
);

/**
 * SHA-256 in hex of each secret, comma-separated. Throws where one cannot be read, or is so short that its hash would give
 * it away.
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
      if (!isRefused(error) || attempt === ATTEMPTS) throw error;
      await sleep(pauseMs);
    }
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && error.name === "AccessDeniedException";
}
