import type { Clock } from "../../../kernel/clock.ts";
import { inSizedBatches } from "../../../kernel/parallel.ts";
import { takeTurn } from "../../../kernel/turns.ts";
import type { SearchIndex } from "../../../ports/search-index.ts";
import type { EmbeddingBacklog } from "./embedding-backlog.ts";
import type { Organizations } from "./organizations.ts";
import { sourceText } from "./rows.ts";
import type { IndexWrite } from "./writes.ts";

/** Maximum bytes of stored documents that one call writes, replaces or deletes here; a thread writes more. */
const MAX_HERE = 16_000;
/** Maximum bytes and number of the documents in one transaction, unless a single one has more: here a few milliseconds. */
const HERE = { maxSize: 8_000, maxItems: 16 };
const IN_THREAD = { maxSize: 64_000, maxItems: 128 };

export interface Writing {
  dimensions: number;
  clock: Clock;
  /** Sequence of the newest record change. */
  sequence: () => number;
  backlog: EmbeddingBacklog;
  /** Collects the organizations whose index is written. */
  written: Set<string>;
}

/** Verbs that write to all targets. */
export function writesTo(
  targets: () => Organizations[],
  { dimensions, backlog, clock, sequence, written }: Writing,
): Pick<SearchIndex, "upsert" | "remove"> {
  return {
    async upsert(documents) {
      for (const { embedding } of documents) if (embedding) checkDimensions(embedding, dimensions);
      for (const [org, documentsOfOrg] of Map.groupBy(documents, (document) => document.org)) {
        await writeParts(targets(), org, documentsOfOrg, {
          bytesOf: (document) => Buffer.byteLength(sourceText(document)),
          toWrite: (part) => ({ upsert: part, sequence: sequence() }),
          onWritten: (organizations, part) => {
            written.add(org);
            if (part.some(({ embedding }) => embedding === undefined)) backlog.add(organizations, org);
          },
        });
      }
    },
    async remove(references) {
      const now = clock();
      for (const [org, removals] of Map.groupBy(references, (reference) => reference.org)) {
        await writeParts(targets(), org, removals, {
          bytesOf: () => 0,
          toWrite: (part) => ({ remove: part, now, sequence: sequence() }),
          onWritten: () => written.add(org),
        });
      }
    },
  };
}

interface Parts<Item> {
  /** Bytes that the item adds to the index, besides those that it replaces. */
  bytesOf(item: Item): number;
  toWrite(part: Item[]): IndexWrite;
  onWritten(organizations: Organizations, part: Item[]): void;
}

/** Writes an organization's documents in transactions that take milliseconds, or in a thread. */
async function writeParts<Item extends { id: string }>(
  targets: Organizations[],
  org: string,
  items: Item[],
  { bytesOf, toWrite, onWritten }: Parts<Item>,
): Promise<void> {
  for (const organizations of targets) {
    const stored = organizations.use(org, (index) => index.storedBytes(items.map(({ id }) => id)));
    const sizeOf = (item: Item) => bytesOf(item) + (stored.get(item.id) ?? 0);
    const isLong = items.reduce((sum, item) => sum + sizeOf(item), 0) > MAX_HERE;
    for (const part of inSizedBatches(items, sizeOf, isLong ? IN_THREAD : HERE)) {
      await takeTurn(org);
      // Another generation is in use by now, or the process ends.
      if (organizations.isClosed) break;
      if (isLong) await organizations.writeInThread(org, toWrite(part));
      else await organizations.write(org, (index) => index.write(toWrite(part)));
      onWritten(organizations, part);
    }
  }
}

export function checkDimensions(vector: Float32Array, dimensions: number): void {
  if (vector.length !== dimensions) {
    throw new RangeError(`a vector of ${vector.length} dimensions, where the index has ${dimensions}`);
  }
}
