import { expect, it } from "vitest";
import type { Source } from "./source.ts";
import { describeSource } from "./wire.ts";

const STORED: Source = {
  id: "src_a",
  org: "org_a",
  type: "upload",
  title: "pier.png",
  is_titled: false,
  metadata: {},
  status: "active",
  generation: 1,
  last_generation: 1,
  chunk_count: 0,
  entity_count: 0,
  tokens: 0,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  created_by: "user_a",
  revision: 1,
};
const withoutText = (reason: string) => ({ status: "active", extraction: { status: "no_text", reason } });

it.each<[string, Partial<Source>, object]>([
  ["text was read", { chunk_count: 2 }, { status: "active", extraction: { status: "text" } }],
  ["no text was read", { status: "no_text", error: "it holds no text" }, withoutText("it holds no text")],
  ["no text was read by a build that stored no reason", {}, withoutText("no text was read from it")],
  ["the first content is being read", { status: "processing", generation: 0 }, { status: "processing" }],
  ["an upload is awaited", { status: "awaiting_upload", generation: 0 }, { status: "awaiting_upload" }],
  ["reading failed", { status: "failed", error: "broken", chunk_count: 2 }, { status: "failed", error: "broken" }],
])("tells of a source of which %s", (_what, stored, told) => {
  const { status, extraction, error } = describeSource({ ...STORED, ...stored });
  expect({ status, extraction, error }).toEqual({ extraction: undefined, error: undefined, ...told });
});
