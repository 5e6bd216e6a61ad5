import { APIErrorCode, Client, isFullBlock, isFullPage, isNotionClientError } from "@notionhq/client";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import { CredentialsRefused, innermost, isFault, ProviderFailed } from "./faults.ts";
import { type Block, toMarkdown } from "./notion-markdown.ts";
import type { Listing, Position, ProviderSession, ReadDocument, SessionTools } from "./provider.ts";
import { asFetch } from "./requests.ts";

const PAGE = 100;
/** Of one document: levels of blocks in blocks, and blocks in all. */
const MOST_LEVELS = 6;
const MOST_BLOCKS = 3000;
const UNTITLED = "Untitled";

/** Pages of a Notion workspace that the integration may see, as Markdown. Their time of change tells what is new. */
export function openNotion(settings: SettingsOf<"notes_workspace">, tools: SessionTools): ProviderSession {
  const client = new Client({
    baseUrl: settings.base_url,
    fetch: asFetch(tools.fetch),
    retry: false,
    logger: () => undefined,
  });
  return {
    list: (position) => asked(() => listPages(client, position)),
    read: (document) => asked(() => readPage(client, document)),
    isGone: (document) => asked(async () => (await findPage(client, document)) === undefined),
  };
}

/** What Notion says no by, in the terms of sessions. */
async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const inner = innermost(error);
    if (isFault(inner) || !isNotionClientError(inner)) throw inner;
    if (inner.code === APIErrorCode.Unauthorized) throw new CredentialsRefused();
    throw new ProviderFailed(`Notion answers ${inner.code}.`);
  }
}

/** Its search lists pages that it has not forgotten to index, so that a page it misses must be asked for by itself. */
async function listPages(client: Client, { place }: Position): Promise<Listing> {
  const { results, next_cursor } = await client.search({
    filter: { property: "object", value: "page" },
    sort: { timestamp: "last_edited_time", direction: "descending" },
    page_size: PAGE,
    ...(typeof place === "string" && { start_cursor: place }),
  });
  const pages = results.filter((result) => result.object === "page").filter(isFullPage);
  const found = pages
    .filter((page) => !page.in_trash)
    .map(({ id, last_edited_time }) => ({ external_id: id, version: last_edited_time, hint: {} }));
  return next_cursor === null ? { found, isInventory: true } : { found, next: next_cursor };
}

async function findPage(client: Client, { external_id }: FoundDocument) {
  try {
    const page = await client.pages.retrieve({ page_id: external_id });
    return isFullPage(page) && !page.in_trash ? page : undefined;
  } catch (error) {
    if (isNotionClientError(error) && error.code === APIErrorCode.ObjectNotFound) return undefined;
    throw error;
  }
}

async function readPage(client: Client, document: FoundDocument): Promise<ReadDocument | "gone" | "unfit"> {
  const page = await findPage(client, document);
  if (!page) return "gone";
  const text = toMarkdown(await readBlocks(client, page.id, { left: MOST_BLOCKS }, 1));
  if (text === "") return "unfit";
  return { title: titleOf(page.properties), url: page.url, content: { text } };
}

function titleOf(properties: Record<string, { type: string }>): string {
  const title = Object.values(properties).find(
    (property): property is { type: "title"; title: { plain_text: string }[] } => property.type === "title",
  );
  return (
    title?.title
      .map(({ plain_text }) => plain_text)
      .join("")
      .trim() || UNTITLED
  );
}

/** The blocks within a block or a page, down to the last that is still read. */
async function readBlocks(client: Client, block_id: string, budget: { left: number }, level: number): Promise<Block[]> {
  const blocks: Block[] = [];
  let start_cursor: string | undefined;
  do {
    const page = await client.blocks.children.list({
      block_id,
      page_size: PAGE,
      ...(start_cursor !== undefined && { start_cursor }),
    });
    for (const block of page.results.filter(isFullBlock)) {
      if (budget.left-- <= 0) return blocks;
      // Pages within a page are documents of their own.
      const isOther = block.type === "child_page" || block.type === "child_database";
      const goesDeeper = block.has_children && !isOther && level < MOST_LEVELS;
      blocks.push({ block, children: goesDeeper ? await readBlocks(client, block.id, budget, level + 1) : [] });
    }
    start_cursor = page.next_cursor ?? undefined;
  } while (start_cursor !== undefined);
  return blocks;
}
