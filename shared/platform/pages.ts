/** Every page of a walk, one after the other, asked for by the cursor of the one before. */
export async function* pagesOf<Page extends { cursor?: string }>(
  read: (after: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield page;
    after = page.cursor;
  } while (after !== undefined);
}
