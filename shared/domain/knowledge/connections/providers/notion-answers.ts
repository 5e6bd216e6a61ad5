import type { BlockObjectResponse } from "@notionhq/client";
import * as z from "zod";

/** The used parts of Notion's responses as documented; another shape is a failure of the provider. */
const RichText = z.array(z.looseObject({ plain_text: z.string() }));

const Titled = z.looseObject({ type: z.string(), title: z.unknown().optional() });

export const OneBlock = z.looseObject({ id: z.string(), type: z.string(), in_trash: z.boolean().optional() });

const Page = z.object({
  id: z.string(),
  last_edited_time: z.string(),
  in_trash: z.boolean(),
  url: z.string(),
  properties: z.record(z.string(), Titled),
  parent: z.looseObject({ type: z.string().optional() }).optional(),
});

/** A page that the integration may not read has only an id. */
const PartialPage = z.object({ id: z.string(), url: z.undefined().optional() });

export const FoundPages = z.object({
  results: z.array(z.union([Page, PartialPage])),
  next_cursor: z.string().nullable(),
});

export const OnePage = z.union([Page, PartialPage]);

export type WholePage = z.infer<typeof Page>;

export function isWhole(page: z.infer<typeof OnePage>): page is WholePage {
  return page.url !== undefined;
}

const Text = z.looseObject({ rich_text: RichText });
const Captioned = z.looseObject({ caption: RichText });

/** Schemas for the text of each block type; other types contain no text. */
const CONTENT: Readonly<Record<string, z.ZodType>> = {
  ...Object.fromEntries(
    [
      ...["paragraph", "heading_1", "heading_2", "heading_3", "quote", "callout"],
      ...["bulleted_list_item", "numbered_list_item", "to_do", "toggle"],
    ].map((type) => [type, Text]),
  ),
  code: z.looseObject({ rich_text: RichText, language: z.string() }),
  bookmark: Captioned,
  image: Captioned,
  table_row: z.looseObject({ cells: z.array(RichText) }),
  equation: z.looseObject({ expression: z.string() }),
  child_page: z.looseObject({ title: z.string() }),
};

const Block = z
  .looseObject({ id: z.string(), type: z.string().optional(), has_children: z.boolean().optional() })
  .refine(({ type, ...block }) => type === undefined || (CONTENT[type]?.safeParse(block[type]).success ?? true));

export const Blocks = z.object({ results: z.array(Block), next_cursor: z.string().nullable() });

/** Blocks that the integration may read; others have only an id. */
export function wholeBlocks({ results }: z.infer<typeof Blocks>): BlockObjectResponse[] {
  return results.filter(({ type }) => type !== undefined) as unknown as BlockObjectResponse[];
}

/** Whether a page is a row of a database. */
export function isRow({ parent }: WholePage): boolean {
  return parent?.type === "database_id" || parent?.type === "data_source_id";
}
