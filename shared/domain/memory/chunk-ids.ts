/** The position of a chunk: source, content and index. */
export interface ChunkLocation {
  source_id: string;
  generation: number;
  position: number;
}

/** Ids of other memories are shorter, so that they are recognized quickly. */
const MIN_LENGTH = "mem__0_0".length + 26;
const CHUNK_ID = /^mem_(?<source>[0-9A-Z]{26})_(?<generation>\d{1,9})_(?<position>\d{1,9})$/;

/** Derives a chunk's id from its position: writing it twice creates one chunk, and clients cannot use its id. */
export function chunkId({ source_id, generation, position }: ChunkLocation): string {
  return `mem_${source_id.slice("src_".length)}_${generation}_${position}`;
}

export function isChunk(memory_id: string): boolean {
  return CHUNK_ID.test(memory_id);
}

/** Returns the position of a chunk, or undefined for the id of any other memory. */
export function chunkLocationOf(memory_id: string): ChunkLocation | undefined {
  if (memory_id.length < MIN_LENGTH) return undefined;
  const { source, generation, position } = CHUNK_ID.exec(memory_id)?.groups ?? {};
  if (source === undefined) return undefined;
  return { source_id: `src_${source}`, generation: Number(generation), position: Number(position) };
}
