import type { BlockObjectResponse } from "@notionhq/client";

/** A block with its children. */
export interface Block {
  block: BlockObjectResponse;
  children: Block[];
}

const INDENT = "  ";
const LIST_ITEMS: ReadonlySet<string> = new Set(["bulleted_list_item", "numbered_list_item", "to_do", "toggle"]);

/** A page's blocks as Markdown with headings, lists, quotes, code and tables; blocks without text are dropped. */
export function toMarkdown(blocks: Block[]): string {
  return render(blocks, "").trim();
}

function render(blocks: Block[], indent: string): string {
  let number = 0;
  let text = "";
  let previousType: string | undefined;
  for (const item of blocks) {
    const { type } = item.block;
    number = type === "numbered_list_item" ? number + 1 : 0;
    const line = renderOne(item, indent, number);
    if (line === "") {
      previousType = undefined;
      continue;
    }
    const isTight = previousType !== undefined && LIST_ITEMS.has(type) && LIST_ITEMS.has(previousType);
    text += `${text === "" ? "" : isTight ? "\n" : "\n\n"}${line}`;
    previousType = type;
  }
  return text;
}

function renderOne({ block, children }: Block, indent: string, number: number): string {
  switch (block.type) {
    case "table":
      return tableOf(children, indent);
    case "code":
      return indented(`\`\`\`${block.code.language}\n${plain(block.code.rich_text)}\n\`\`\``, indent);
    case "divider":
      return `${indent}---`;
    default: {
      const text = ownText(block, number);
      const isItem = LIST_ITEMS.has(block.type);
      const inner = render(children, isItem ? indent + INDENT : indent);
      return [text === "" ? "" : indented(text, indent), inner]
        .filter((part) => part !== "")
        .join(isItem ? "\n" : "\n\n");
    }
  }
}

/** Markdown before the text of a block, by its type. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ["heading_1", "# "],
  ["heading_2", "## "],
  ["heading_3", "### "],
  ["bulleted_list_item", "- "],
  ["toggle", "- "],
  ["callout", ""],
  ["paragraph", ""],
]);

/** The Markdown of a block without indentation and children. */
function ownText(block: BlockObjectResponse, number: number): string {
  const mark = MARKS.get(block.type);
  if (mark !== undefined) return mark + plain(Reflect.get(block, block.type).rich_text);
  switch (block.type) {
    case "numbered_list_item":
      return `${number}. ${plain(block.numbered_list_item.rich_text)}`;
    case "to_do":
      return `- [${block.to_do.checked ? "x" : " "}] ${plain(block.to_do.rich_text)}`;
    case "quote":
      return `> ${plain(block.quote.rich_text).replaceAll("\n", "\n> ")}`;
    case "equation":
      return block.equation.expression;
    case "child_page":
      return block.child_page.title;
    case "bookmark":
    case "image":
      return plain(Reflect.get(block, block.type).caption);
    case "file":
    case "pdf":
    case "audio":
    case "video":
      return fileLine(Reflect.get(block, block.type));
    default:
      return "";
  }
}

/** A file's name and caption; its content is a separate document. */
function fileLine({ name, caption = [] }: { name?: string; caption?: { plain_text: string }[] }): string {
  return [name ?? "", plain(caption)].filter((part) => part !== "").join(": ");
}

function tableOf(rows: Block[], indent: string): string {
  const lines = rows.flatMap(({ block }) =>
    block.type === "table_row" ? `| ${block.table_row.cells.map((cell) => plain(cell)).join(" | ")} |` : [],
  );
  const [head, ...body] = lines;
  if (head === undefined) return "";
  const rule = head.replace(/[^|]+/g, " --- ");
  return indented([head, rule, ...body].join("\n"), indent);
}

function plain(parts: { plain_text: string }[]): string {
  return parts.map(({ plain_text }) => plain_text).join("");
}

function indented(text: string, indent: string): string {
  return indent + text.replaceAll("\n", `\n${indent}`);
}
