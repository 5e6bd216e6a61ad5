import { randomBytes } from "node:crypto";
import { seal, unseal } from "../identity/sealing.ts";
import { timestamp } from "../kernel/clock.ts";
import type { Home } from "../platform/context.ts";
import { STANDARD_PREFIX } from "./signing.ts";
import type { Webhook } from "./webhook.ts";

export const LEAST_SECRET_LENGTH = 16;
export const MOST_SECRET_LENGTH = 256;

/** So long is a delivery also signed with the secret of before. */
const OVERLAP_MS = 24 * 3_600_000;
const MADE_BYTES = 32;

/** What is shown in place of every secret. */
export const MASKED_SECRET = "••••••••";

type SecretFields = Pick<Webhook, "sealed_secret" | "previous_secret">;

const placeOf = (id: string): string => `${id}/secret`;

/** A secret for whoever brings none, in the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return STANDARD_PREFIX + randomBytes(MADE_BYTES).toString("base64");
}

export function sealSecret(home: Pick<Home, "ports">, id: string, secret: string): Promise<string> {
  return seal(home, placeOf(id), secret);
}

/** What a webhook stores of a new secret: that of before stays in force for a day. */
export async function rotateSecret(
  home: Pick<Home, "ports" | "clock">,
  { id, sealed_secret }: Pick<Webhook, "id" | "sealed_secret">,
  secret: string,
): Promise<SecretFields> {
  const previous_secret = { sealed: sealed_secret, until: timestamp(home.clock() + OVERLAP_MS) };
  return { sealed_secret: await sealSecret(home, id, secret), previous_secret };
}

/** Whether a secret of before signs beside the one that is. */
export function isInForce(
  { clock }: Pick<Home, "clock">,
  previous: Webhook["previous_secret"],
): previous is NonNullable<Webhook["previous_secret"]> {
  return previous !== undefined && previous.until > timestamp(clock());
}

/** The secrets in force, the newest first. */
export async function secretsInForce(
  home: Pick<Home, "ports" | "clock">,
  { id, sealed_secret, previous_secret }: Pick<Webhook, "id"> & SecretFields,
): Promise<[current: string, previous?: string]> {
  const current = await unseal(home, placeOf(id), sealed_secret);
  if (!isInForce(home, previous_secret)) return [current];
  return [current, await unseal(home, placeOf(id), previous_secret.sealed)];
}
