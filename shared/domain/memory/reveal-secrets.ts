import { hasPlaceholder, restore, restorePart } from "../../language/secrets/redact.ts";
import type { SearchFilters } from "../../ports/search-index.ts";
import type { Memory } from "./memory.ts";
import { findMemories, type MemoryReader } from "./records.ts";

type Hidden = Pick<Memory, "content" | "facts" | "metadata" | "sent" | "user_id">;

/** Returns a memory as it was sent. Only for a request that is scoped to exactly its user: see secret-exposure.ts. */
function asSent<Masked extends Hidden>(memory: Masked): Masked {
  const { content, facts, sent } = memory;
  if (sent === undefined) return memory;
  return {
    ...memory,
    content: restore(content, sent.secrets),
    facts: facts.map((fact) => ({ ...fact, content: restorePart(fact.content, content, sent.secrets) })),
    ...(sent.metadata && { metadata: sent.metadata }),
  };
}

/** Returns memories for a request about exactly this user, who alone sees what placeholders stand for. */
export function revealTo<Masked extends Hidden>(user: string | undefined, memories: Masked[]): Masked[] {
  return memories.map((memory) => revealMemory(user, memory));
}

export function revealMemory<Masked extends Hidden>(user: string | undefined, memory: Masked): Masked {
  return user !== undefined && memory.user_id === user ? asSent(memory) : memory;
}

/** The user of filters that name exactly one. */
export function onlyUserOf({ user_id: users = [] }: SearchFilters): string | undefined {
  const [user, ...others] = users;
  return others.length === 0 ? user : undefined;
}

/** A text of the search index, which has placeholders alone. */
type Document = Pick<Memory, "id" | "content" | "metadata" | "user_id">;

/**
 * Returns a function that restores documents of a search about exactly this user. Their records are read only if there
 * are placeholders.
 */
export async function revealerFor<Found extends Document>(
  ctx: MemoryReader,
  user: string | undefined,
  documents: readonly Found[],
): Promise<<Shown extends Document>(document: Shown) => Shown> {
  const hidden =
    user === undefined ? [] : documents.filter((document) => document.user_id === user && isHidden(document));
  if (hidden.length === 0) return (document) => document;
  const found = revealTo(user, await findMemories(ctx, [...new Set(hidden.map(({ id }) => id))]));
  const sent = new Map(found.filter((memory) => memory.sent !== undefined).map((memory) => [memory.id, memory]));
  return (document) => {
    const memory = sent.get(document.id);
    if (memory === undefined || document.user_id !== user) return document;
    return { ...document, content: memory.content, metadata: memory.metadata };
  };
}

function isHidden({ content, metadata }: Document): boolean {
  return hasPlaceholder(content) || hasPlaceholder(JSON.stringify(metadata));
}

/** Returns the hits of a search as its user may see them: restored if the filters name exactly that user. */
export async function revealHits<Hit extends { document: Document }>(
  ctx: MemoryReader,
  filters: SearchFilters,
  hits: Hit[],
): Promise<Hit[]> {
  const documents = hits.map(({ document }) => document);
  const reveal = await revealerFor(ctx, onlyUserOf(filters), documents);
  return hits.map((hit) => ({ ...hit, document: reveal(hit.document) }));
}
