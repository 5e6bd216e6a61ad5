import { randomBytes } from "node:crypto";
import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import type { HasPorts, Runtime } from "../../../runtime/context.ts";
import { seal, unseal } from "../../identity/sealing.ts";
import { STANDARD_PREFIX } from "./signing.ts";
import type { Webhook } from "./webhook.ts";

export const MIN_SECRET_LENGTH = 16;
export const MAX_SECRET_LENGTH = 256;

/** How long deliveries are also signed with the previous secret. */
const OVERLAP_MS = DAY_MS;
const GENERATED_BYTES = 32;

/** Shown in place of every secret. */
export const MASKED_SECRET = "••••••••";

type SecretFields = Pick<Webhook, "sealed_secret" | "previous_secret">;

const sealingContextOf = (id: string): string => `${id}/secret`;

/** A generated secret in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return STANDARD_PREFIX + randomBytes(GENERATED_BYTES).toString("base64");
}

/** Encrypts the secret of the webhook with this id, for which alone it can be decrypted. */
export function sealSecret(runtime: HasPorts, id: string, secret: string): Promise<string> {
  return seal(runtime, sealingContextOf(id), secret);
}

/** The stored form of a new secret: the previous one stays valid for a day. */
export async function rotateSecret(
  runtime: Pick<Runtime, "ports" | "clock">,
  { id, sealed_secret }: Pick<Webhook, "id" | "sealed_secret">,
  secret: string,
): Promise<SecretFields> {
  const previous_secret = { sealed: sealed_secret, until: timestamp(runtime.clock() + OVERLAP_MS) };
  return { sealed_secret: await sealSecret(runtime, id, secret), previous_secret };
}

/** Whether a previous secret still signs in addition to the current one. */
export function isInForce(
  { clock }: Pick<Runtime, "clock">,
  previous: Webhook["previous_secret"],
): previous is NonNullable<Webhook["previous_secret"]> {
  return previous !== undefined && previous.until > timestamp(clock());
}

/** The valid secrets, newest first. */
export async function secretsInForce(
  runtime: Pick<Runtime, "ports" | "clock">,
  { id, sealed_secret, previous_secret }: Pick<Webhook, "id"> & SecretFields,
): Promise<[current: string, previous?: string]> {
  const current = await unseal(runtime, sealingContextOf(id), sealed_secret);
  if (!isInForce(runtime, previous_secret)) return [current];
  return [current, await unseal(runtime, sealingContextOf(id), previous_secret.sealed)];
}
