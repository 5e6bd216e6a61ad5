import { APIErrorCode, Client, isNotionClientError } from "@notionhq/client";
import { CredentialsRefusedError, innermost, isFault, ProviderError } from "../../../../ports/provider-faults.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import {
  Blocks,
  FoundPages,
  isRow,
  isWhole,
  OneBlock,
  OnePage,
  type WholePage,
  wholeBlocks,
} from "./notion-answers.ts";
import { type Block, toMarkdown } from "./notion-markdown.ts";
import { filesInProperties, type HostedFile, hostedFile, propertiesAsText, titleIn } from "./notion-properties.ts";
import type { Listing, Position, ProviderSession, ReadResult, SessionTools } from "./provider.ts";
import { asFetch, fileOf, jsonOf, type ProviderFetch, parsed } from "./requests.ts";

const PAGE = 100;
/** Limits per document: nesting of blocks, and number of blocks. */
const MAX_LEVELS = 6;
const MAX_BLOCKS = 3000;
const UNTITLED = "Untitled";
/** Block types with a file; images of a page are not read. */
const FILE_BLOCKS: ReadonlySet<string> = new Set(["file", "pdf", "audio", "video"]);

/** The readable pages of a Notion workspace as Markdown with properties, and their files, by modification time. */
export function openNotion(settings: SettingsOf<"notes_workspace">, tools: SessionTools): ProviderSession {
  const client = new Client({
    baseUrl: settings.base_url,
    fetch: asFetch(jsonOnly(tools.fetch)),
    retry: false,
    logger: () => undefined,
  });
  return {
    list: (position) => translateErrors(() => listPages(client, position)),
    read: (document) =>
      translateErrors(() =>
        document.hint.attached_to === undefined
          ? readPage(client, document)
          : readFile(client, tools.fetchWithoutToken, document),
      ),
    isGone: (document) => translateErrors(async () => (await findPage(client, document)) === undefined),
  };
}

/** Requires JSON of a successful response, because the client would report other content as its own error. */
function jsonOnly(fetch: ProviderFetch): ProviderFetch {
  return async (url, request) => {
    const response = await fetch(url, request);
    return response.ok ? Response.json((await jsonOf(response)) ?? {}) : response;
  };
}

/** Converts Notion's errors into those of sessions. */
async function translateErrors<T>(request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    const inner = innermost(error);
    if (isFault(inner) || !isNotionClientError(inner)) throw inner;
    if (inner.code === APIErrorCode.Unauthorized) throw new CredentialsRefusedError();
    throw new ProviderError(`Notion answers ${inner.code}.`);
  }
}

/** Notion's search may miss pages that are not indexed, so a missing page must be requested individually. */
async function listPages(client: Client, { place }: Position): Promise<Listing> {
  const answer = await client.search({
    filter: { property: "object", value: "page" },
    sort: { timestamp: "last_edited_time", direction: "descending" },
    page_size: PAGE,
    ...(typeof place === "string" && { start_cursor: place }),
  });
  const { results, next_cursor } = parsed(FoundPages, answer, "Notion");
  const found = results
    .filter(isWhole)
    .filter((page) => !page.in_trash)
    .map(({ id, last_edited_time }) => ({ external_id: id, version: last_edited_time, hint: {} }));
  return next_cursor === null ? { found, isInventory: true } : { found, next: next_cursor };
}

async function findPage(client: Client, { external_id }: Pick<FoundDocument, "external_id">) {
  const page = await unlessAbsent(async () =>
    parsed(OnePage, await client.pages.retrieve({ page_id: external_id }), "Notion"),
  );
  return page && isWhole(page) && !page.in_trash ? page : undefined;
}

async function unlessAbsent<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (isNotionClientError(error) && error.code === APIErrorCode.ObjectNotFound) return undefined;
    throw error;
  }
}

async function readPage(client: Client, document: FoundDocument): Promise<ReadResult> {
  const page = await findPage(client, document);
  if (!page) return "gone";
  const blocks = await readBlocks(client, page.id, { left: MAX_BLOCKS }, 1);
  const title = titleIn(page.properties);
  const body = [propertiesAsText(page.properties), toMarkdown(blocks)].filter((part) => part !== "").join("\n\n");
  // A database row is worth importing for its title alone.
  const text = body === "" && isRow(page) ? title : body;
  if (text === "") return "no_text";
  return { title: title || UNTITLED, url: page.url, content: { text }, attachments: filesOf(page, blocks) };
}

/** Files hosted by the workspace in a page's properties and blocks. */
function filesOf(page: WholePage, blocks: Block[]): FoundDocument[] {
  const inProperties = filesInProperties(page.properties).map(({ place, file: { name } }) => ({
    external_id: `property/${place}`,
    version: `${page.last_edited_time} ${name}`,
    hint: { page: page.id, place, name },
  }));
  return [...inProperties, ...filesInBlocks(blocks, page.last_edited_time)];
}

function filesInBlocks(blocks: Block[], edited: string): FoundDocument[] {
  return blocks.flatMap(({ block, children }) => {
    const file = FILE_BLOCKS.has(block.type) ? hostedFile(Reflect.get(block, block.type)) : undefined;
    const attachment = file && {
      external_id: `block/${block.id}`,
      version: block.last_edited_time ?? edited,
      hint: { block: block.id, name: file.name },
    };
    return [...(attachment ? [attachment] : []), ...filesInBlocks(children, edited)];
  });
}

/** Downloads a file by a new link, because links of the listing expire. */
async function readFile(client: Client, fetch: ProviderFetch, { hint }: FoundDocument): Promise<ReadResult> {
  const file = typeof hint.block === "string" ? await fileOfBlock(client, hint.block) : await fileOfPage(client, hint);
  if (!file) return "gone";
  const content = await fileOf(await fetch(file.url), file);
  return content === "gone" ? "gone" : { title: file.name, content };
}

async function fileOfBlock(client: Client, block_id: string): Promise<HostedFile | undefined> {
  const block = await unlessAbsent(async () => parsed(OneBlock, await client.blocks.retrieve({ block_id }), "Notion"));
  return block && !block.in_trash ? hostedFile(block[block.type]) : undefined;
}

async function fileOfPage(client: Client, { page: id, place }: FoundDocument["hint"]): Promise<HostedFile | undefined> {
  const page = await findPage(client, { external_id: String(id) });
  return page && filesInProperties(page.properties).find((entry) => entry.place === place)?.file;
}

/** The blocks of a block or page, down to the maximum depth. */
async function readBlocks(client: Client, block_id: string, budget: { left: number }, level: number): Promise<Block[]> {
  const blocks: Block[] = [];
  let start_cursor: string | undefined;
  do {
    const answer = await client.blocks.children.list({
      block_id,
      page_size: PAGE,
      ...(start_cursor !== undefined && { start_cursor }),
    });
    const page = parsed(Blocks, answer, "Notion");
    for (const block of wholeBlocks(page)) {
      if (budget.left-- <= 0) return blocks;
      // Subpages are separate documents.
      const isSeparate = block.type === "child_page" || block.type === "child_database";
      const hasReadableChildren = block.has_children && !isSeparate && level < MAX_LEVELS;
      blocks.push({
        block,
        children: hasReadableChildren ? await readBlocks(client, block.id, budget, level + 1) : [],
      });
    }
    start_cursor = page.next_cursor ?? undefined;
  } while (start_cursor !== undefined);
  return blocks;
}
