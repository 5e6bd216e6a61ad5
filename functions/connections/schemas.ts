import * as z from "zod";
import { CONNECTION_STATES, PROVIDERS } from "../../shared/connections/connection.ts";
import { filledText, label, metadata, Pagination, page, queryFlag } from "../../shared/http/fields.ts";

/** Pushed at once; more go into the next request. */
const MOST_DOCUMENTS = 100;
const MOST_CHARACTERS = 1_000_000;

export const CreateConnection = z.object({
  user_id: label.optional(),
  config: metadata.default({}).describe("What the provider needs; secrets among it are kept sealed and never shown"),
  connection_id: z
    .string()
    .max(256)
    .optional()
    .describe("Gives these credentials and settings to that connection instead of making another one"),
});

export const ListConnections = z.object({ user_id: label.optional(), ...page(20, 100) });

/** One document that is pushed; each is checked by itself, so that one that is wrong does not keep out the others. */
export const PushedDocument = z.object({
  title: filledText(500).optional(),
  content: filledText(MOST_CHARACTERS),
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
    .max(MOST_DOCUMENTS)
    .optional()
    .describe(
      "Documents as {title, content, external_id, url, metadata}; without it the provider is asked for its own",
    ),
});

export const DeleteConnection = z.object({ delete_documents: queryFlag(false) });

const counts = {
  sources_created: z.int(),
  sources_updated: z.int(),
  sources_removed: z.int(),
  skipped: z.int(),
};

export const Connection = z.object({
  id: z.string(),
  provider: z.enum(PROVIDERS),
  user_id: z.string().nullable(),
  status: z.enum(CONNECTION_STATES),
  config: z.record(z.string(), z.unknown()),
  authorization_url: z.string().optional().describe("Where to give leave, while that is required"),
  last_sync: z
    .object({
      status: z.enum(["running", "completed", "failed"]),
      started_at: z.string(),
      finished_at: z.string().optional(),
      error: z.string().optional(),
      ...counts,
      failed: z.int(),
    })
    .optional(),
  last_sync_at: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const ConnectionList = z.object({ connections: z.array(Connection), pagination: Pagination });

export const Synchronized = z.object({
  connection_id: z.string(),
  status: z
    .enum(["completed", "running"])
    .describe("`running`: the worker goes on with it; the counts are those so far"),
  ...counts,
  failed: z.array(
    z.object({
      index: z.int().optional(),
      external_id: z.string().optional(),
      title: z.string().optional(),
      code: z.string(),
      reason: z.string(),
    }),
  ),
});

export const ConnectionDeleted = z.object({
  connection_id: z.string(),
  deleted: z.literal(true),
  status: z
    .enum(["completed", "running"])
    .describe("`running`: the worker goes on deleting what the connection brought"),
  sources_deleted: z.int(),
});
