import * as z from "zod";
import { ID_PREFIX, shownName } from "../../shared/domain/identity/authorization-server/clients.ts";
import { findRegisteredClient } from "../../shared/domain/identity/authorization-server/records.ts";
import { isRedirectUri } from "../../shared/domain/identity/authorization-server/redirects.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { isLoopbackHost } from "../../shared/kernel/settings.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { fetchPublic } from "../../shared/runtime/fetching/fetch-public.ts";

/** A client that may ask a user for access. */
export interface Client {
  id: string;
  name: string;
  redirect_uris: readonly string[];
  /** The host of its metadata document; absent for a registered client, whose name nobody vouches for. */
  host?: string;
}

const DOCUMENT_BYTES = 10 * 1024;
const DOCUMENT_TIMEOUT_MS = 5_000;

/** The part of a client id metadata document that is used. A client with a secret or a key would have to prove it. */
const ClientDocument = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string().refine(isRedirectUri)).min(1),
  token_endpoint_auth_method: z.literal("none").default("none"),
});

/** The client of an id: one that registered itself, or the one that its document describes. Throws INVALID_CLIENT. */
export async function findClient(runtime: Runtime, id: string): Promise<Client> {
  if (isDocumentUrl(id)) return readDocument(runtime, id);
  const registered = id.startsWith(ID_PREFIX) ? await findRegisteredClient(runtime.ports.records, id) : undefined;
  if (registered) return registered;
  throw new ServiceError("INVALID_CLIENT", "The client is unknown, or its registration has ended. Connect it again.");
}

/** Whether a client registered itself, so that its record is kept. */
export function isRegisteredId(id: string): boolean {
  return id.startsWith(ID_PREFIX);
}

/** Whether an id is the URL of a metadata document, in its only spelling: with a path, and without dots in it. */
function isDocumentUrl(id: string): boolean {
  const url = URL.parse(id);
  if (url === null || url.href !== id || url.pathname === "/" || url.hash !== "" || url.username !== "") return false;
  // Plain HTTP is for a client on this machine, which only ALLOW_PRIVATE_TARGETS lets the service read.
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}

/** Reads a client id metadata document. The fetch refuses private addresses; redirects are not followed. */
async function readDocument(runtime: Runtime, id: string): Promise<Client> {
  try {
    const response = await fetchPublic(runtime, id, {
      headers: { accept: "application/json" },
      maxBytes: DOCUMENT_BYTES,
      timeoutMs: DOCUMENT_TIMEOUT_MS,
      maxRedirects: 0,
    });
    if (response.status !== 200) throw new Error(`it answers with the status ${response.status}`);
    const document = ClientDocument.parse(await response.json());
    if (document.client_id !== id) throw new Error("it describes another client_id");
    const { client_name, redirect_uris } = document;
    return { id, name: shownName(client_name), redirect_uris, host: new URL(id).host };
  } catch (error) {
    runtime.logger.info("OAUTH_CLIENT_DOCUMENT_REFUSED", {
      reason: error instanceof Error ? error.message : "unknown",
    });
    throw new ServiceError("INVALID_CLIENT", "The client's metadata document cannot be read, or it is not valid.");
  }
}
