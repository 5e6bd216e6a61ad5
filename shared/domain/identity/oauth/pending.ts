import { randomBytes } from "node:crypto";
import { sha256 } from "../../../kernel/digest.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import type { RecordKey } from "../../../ports/ports.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { seal, unseal } from "../sealing.ts";
import type { Authorization, ProviderName } from "./provider.ts";

/** Seconds that a user may take at the provider. */
export const TIMEOUT_SECONDS = 600;

/** A sign-in that waits for the provider's redirect. */
export interface PendingSignIn extends Authorization {
  provider: ProviderName;
  /** The client's own state; the service's is `state`. */
  clientState?: string;
}

/** The stored form: under the hash of its state, with verifier and nonce encrypted. */
interface StoredSignIn {
  provider: ProviderName;
  redirect_uri: string;
  client_state?: string;
  sealed: string;
}

type PendingRuntime = Pick<Runtime, "ports" | "clock">;

const pendingKey = (hash: string): RecordKey => ({ pk: `oauth-state#${hash}`, sk: "oauth_state" });
const placeOf = (hash: string): string => `oauth-state/${hash}`;
const newSecret = (): string => randomBytes(32).toString("base64url");

/** Starts a sign-in: creates its secrets and keeps them for ten minutes. */
export async function beginSignIn(
  { ports, clock }: PendingRuntime,
  given: Pick<PendingSignIn, "provider" | "redirectUri" | "clientState">,
): Promise<PendingSignIn> {
  const pending = { ...given, state: newSecret(), verifier: newSecret(), nonce: newSecret() };
  const { provider, redirectUri: redirect_uri, clientState: client_state, verifier, nonce } = pending;
  const hash = sha256(pending.state);
  const sealed = await seal({ ports }, placeOf(hash), JSON.stringify({ verifier, nonce }));
  const stored: StoredSignIn = { provider, redirect_uri, client_state, sealed };
  const ttl = Math.floor(clock() / 1000) + TIMEOUT_SECONDS;
  await ports.records.write({ put: toItem(pendingKey(hash), "oauth_state", stored, { ttl }), condition: "absent" });
  return pending;
}

/**
 * The sign-in of a state, usable once: of two concurrent requests, one gets it. Undefined for an unknown, used or
 * expired state, and for the state of another provider, which is then used up.
 */
export async function takeSignIn(
  { ports }: PendingRuntime,
  provider: ProviderName,
  state: string,
): Promise<PendingSignIn | undefined> {
  const hash = sha256(state);
  const key = pendingKey(hash);
  const record = await ports.records.get(key);
  if (!record) return undefined;
  if (!(await tryWrite({ ports }, { delete: key, condition: "present" }))) return undefined;
  const stored = fromItem<StoredSignIn>(record);
  if (stored.provider !== provider) return undefined;
  const secrets: Pick<Authorization, "verifier" | "nonce"> = JSON.parse(
    await unseal({ ports }, placeOf(hash), stored.sealed),
  );
  return { ...secrets, provider, state, redirectUri: stored.redirect_uri, clientState: stored.client_state };
}
