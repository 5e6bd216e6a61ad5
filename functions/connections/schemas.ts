import * as z from "zod";
import {
  CONNECTION_STATES,
  FailedDocument,
  LastSync,
  PROVIDERS,
  syncCounts,
} from "../../shared/domain/knowledge/connections/connection.ts";
import {
  filledText,
  label,
  metadata,
  Pagination,
  page,
  queryFlag,
  storedUserId,
} from "../../shared/runtime/schemas/fields.ts";

/** Maximum number per request. */
const MAX_DOCUMENTS = 100;
const MAX_CHARACTERS = 1_000_000;

export const CreateConnection = z.object({
  user_id: storedUserId.optional(),
  config: metadata.default({}).describe("Settings for the provider; secrets are encrypted and never shown"),
  connection_id: z
    .string()
    .max(256)
    .optional()
    .describe("Updates the credentials and settings of this connection instead of creating another one"),
});

export const ListConnections = z.object({ user_id: label.optional(), ...page(20, 100) });

/** A pushed document; each is validated independently, so that a bad one does not exclude others. */
export const PushedDocument = z.object({
  title: filledText(500).optional(),
  content: filledText(MAX_CHARACTERS),
  external_id: label.optional(),
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .max(2048)
    .optional(),
  metadata: metadata.optional(),
});

export const SyncConnection = z.object({
  documents: z
    .array(z.unknown())
    .max(MAX_DOCUMENTS)
    .optional()
    .describe(
      "Documents as {title, content, external_id, url, metadata}; if absent, documents are fetched from the provider",
    ),
});

export const DeleteConnection = z.object({ delete_documents: queryFlag(false) });

export const Connection = z.object({
  id: z.string(),
  provider: z.enum(PROVIDERS),
  user_id: z.string().nullable(),
  status: z.enum(CONNECTION_STATES),
  config: z.record(z.string(), z.unknown()),
  authorization_url: z.string().optional().describe("The authorization URL while authorization is required"),
  last_sync: LastSync.optional(),
  last_sync_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const ConnectionList = z.object({ connections: z.array(Connection), pagination: Pagination });

export const Synchronized = z.object({
  connection_id: z.string(),
  status: z.enum(["completed", "running"]).describe("`running`: the sync continues in the background; counts so far"),
  ...syncCounts,
  failed: z.array(FailedDocument),
});

export const ConnectionDeleted = z.object({
  connection_id: z.string(),
  deleted: z.literal(true),
  status: z.enum(["completed", "running"]).describe("`running`: the worker is still deleting the connection's sources"),
  sources_deleted: z.int(),
});
