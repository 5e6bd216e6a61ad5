/** The part, of so many, of an index that no partition is to take all writes of: 0..parts-1, always the same for an id. */
export function shardOf(id: string, parts: number): number {
  return Buffer.from(id).reduce((sum, byte) => sum + byte, 0) % parts;
}
