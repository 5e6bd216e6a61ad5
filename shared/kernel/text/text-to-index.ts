/** Returns the text of a document that keyword and semantic search read. */
export function textToIndex({ content, indexed_text }: { content: string; indexed_text?: string }): string {
  return indexed_text ?? content;
}
