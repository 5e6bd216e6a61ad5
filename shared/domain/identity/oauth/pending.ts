import { randomBytes } from "node:crypto";
import { sha256 } from "../../../kernel/digest.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import type { RecordKey } from "../../../ports/record-store.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { seal, unseal } from "../sealing.ts";
import type { Authorization, ProviderName } from "./provider.ts";

/** Time that a user has to sign in at the provider. */
export const TIMEOUT_SECONDS = 600;

/** A sign-in that waits for the provider's redirect. Its `state` is the service's own. */
export interface PendingSignIn extends Authorization {
  provider: ProviderName;
  /** The state that the client sent. */
  clientState?: string;
}

/** A pending sign-in as stored; its key contains the hash of the state. */
interface StoredSignIn {
  provider: ProviderName;
  redirect_uri: string;
  client_state?: string;
  /** The verifier and the nonce, encrypted. */
  sealed: string;
}

type PendingRuntime = Pick<Runtime, "ports" | "clock">;

const pendingKey = (hash: string): RecordKey => ({ pk: `oauth-state#${hash}`, sk: "oauth_state" });
/** Where the encrypted secrets are stored, as `seal` requires. */
const sealingContext = (hash: string): string => `oauth-state/${hash}`;
const newSecret = (): string => randomBytes(32).toString("base64url");

/** Starts a sign-in: creates its secrets and stores them until the timeout. */
export async function beginSignIn(
  { ports, clock }: PendingRuntime,
  given: Pick<PendingSignIn, "provider" | "redirectUri" | "clientState">,
): Promise<PendingSignIn> {
  const pending = { ...given, state: newSecret(), verifier: newSecret(), nonce: newSecret() };
  const { provider, redirectUri: redirect_uri, clientState: client_state, verifier, nonce } = pending;
  const hash = sha256(pending.state);
  const sealed = await seal({ ports }, sealingContext(hash), JSON.stringify({ verifier, nonce }));
  const stored: StoredSignIn = { provider, redirect_uri, client_state, sealed };
  const ttl = Math.floor(clock() / 1000) + TIMEOUT_SECONDS;
  await ports.records.write({ put: toItem(pendingKey(hash), "oauth_state", stored, { ttl }), condition: "absent" });
  return pending;
}

/**
 * Deletes and returns the sign-in of a state; of two concurrent requests, only one gets it. Returns undefined for an
 * unknown, used or expired state, and for a state of another provider, whose sign-in is deleted too.
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
    await unseal({ ports }, sealingContext(hash), stored.sealed),
  );
  return { ...secrets, provider, state, redirectUri: stored.redirect_uri, clientState: stored.client_state };
}
