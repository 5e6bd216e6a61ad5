import { randomBytes } from "node:crypto";
import { sha256 } from "../../kernel/digest.ts";
import type { Home } from "../../platform/context.ts";
import { fromItem, toItem } from "../../platform/item.ts";
import type { RecordKey } from "../../platform/ports.ts";
import { writeUnlessChanged } from "../../platform/unless-changed.ts";
import { seal, unseal } from "../sealing.ts";
import type { Authorization, ProviderName } from "./provider.ts";

/** How long somebody may take at the provider. */
export const PATIENCE_SECONDS = 600;

/** A sign-in that went off to a provider and has not come back. */
export interface PendingSignIn extends Authorization {
  provider: ProviderName;
  /** What the client named it; ours is `state`. */
  clientState?: string;
}

/** As stored: under the hash of its state, verifier and nonce sealed. */
interface StoredSignIn {
  provider: ProviderName;
  redirect_uri: string;
  client_state?: string;
  sealed: string;
}

type PendingHome = Pick<Home, "ports" | "clock">;

const pendingKey = (hash: string): RecordKey => ({ pk: `oauth-state#${hash}`, sk: "oauth_state" });
const placeOf = (hash: string): string => `oauth-state/${hash}`;
const newSecret = (): string => randomBytes(32).toString("base64url");

/** Begins a sign-in: makes its secrets and keeps them for ten minutes. */
export async function beginSignIn(
  { ports, clock }: PendingHome,
  given: Pick<PendingSignIn, "provider" | "redirectUri" | "clientState">,
): Promise<PendingSignIn> {
  const pending = { ...given, state: newSecret(), verifier: newSecret(), nonce: newSecret() };
  const { provider, redirectUri: redirect_uri, clientState: client_state, verifier, nonce } = pending;
  const hash = sha256(pending.state);
  const sealed = await seal({ ports }, placeOf(hash), JSON.stringify({ verifier, nonce }));
  const stored: StoredSignIn = { provider, redirect_uri, client_state, sealed };
  const ttl = Math.floor(clock() / 1000) + PATIENCE_SECONDS;
  await ports.records.write({ put: toItem(pendingKey(hash), "oauth_state", stored, { ttl }), condition: "absent" });
  return pending;
}

/**
 * The sign-in that a state names, which it names this once: of two that ask, one gets it. Undefined for a state that is
 * unknown, used or too old, or that another provider was given, which uses it up too.
 */
export async function takeSignIn(
  { ports }: PendingHome,
  provider: ProviderName,
  state: string,
): Promise<PendingSignIn | undefined> {
  const hash = sha256(state);
  const key = pendingKey(hash);
  const record = await ports.records.get(key);
  if (!record) return undefined;
  if (!(await writeUnlessChanged({ ports }, { delete: key, condition: "present" }))) return undefined;
  const stored = fromItem<StoredSignIn>(record);
  if (stored.provider !== provider) return undefined;
  const secrets: Pick<Authorization, "verifier" | "nonce"> = JSON.parse(
    await unseal({ ports }, placeOf(hash), stored.sealed),
  );
  return { ...secrets, provider, state, redirectUri: stored.redirect_uri, clientState: stored.client_state };
}
