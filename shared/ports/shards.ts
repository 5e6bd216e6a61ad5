/** The shard of an index for an id, 0..parts-1: spreads writes over partitions and is stable per id. */
export function shardOf(id: string, parts: number): number {
  return Buffer.from(id).reduce((sum, byte) => sum + byte, 0) % parts;
}
