/** Returns the shard of an id, 0..parts-1: always the same for an id, so that writes spread over partitions. */
export function shardOf(id: string, parts: number): number {
  return Buffer.from(id).reduce((sum, byte) => sum + byte, 0) % parts;
}
