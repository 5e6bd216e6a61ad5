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
  let before: string | undefined;
  for (const each of blocks) {
    const { type } = each.block;
    number = type === "numbered_list_item" ? number + 1 : 0;
    const line = renderOne(each, indent, number);
    if (line === "") {
      before = undefined;
      continue;
    }
    const isTight = before !== undefined && LIST_ITEMS.has(type) && LIST_ITEMS.has(before);
    text += `${text === "" ? "" : isTight ? "\n" : "\n\n"}${line}`;
    before = type;
  }
  return text;
}

function renderOne(each: Block, indent: string, number: number): string {
  const { block, children } = each;
  switch (block.type) {
    case "table":
      return tableOf(children, indent);
    case "code":
      return indented(`\`\`\`${block.code.language}\n${plain(block.code.rich_text)}\n\`\`\``, indent);
    case "divider":
      return `${indent}---`;
    default: {
      const own = ownText(block, number);
      const isItem = LIST_ITEMS.has(block.type);
      const inner = render(children, isItem ? indent + INDENT : indent);
      return [own === "" ? "" : indented(own, indent), inner]
        .filter((part) => part !== "")
        .join(isItem ? "\n" : "\n\n");
    }
  }
}

/** Without indentation and children. */
function ownText(block: BlockObjectResponse, number: number): string {
  switch (block.type) {
    case "heading_1":
      return `# ${plain(block.heading_1.rich_text)}`;
    case "heading_2":
      return `## ${plain(block.heading_2.rich_text)}`;
    case "heading_3":
      return `### ${plain(block.heading_3.rich_text)}`;
    case "bulleted_list_item":
      return `- ${plain(block.bulleted_list_item.rich_text)}`;
    case "numbered_list_item":
      return `${number}. ${plain(block.numbered_list_item.rich_text)}`;
    case "to_do":
      return `- [${block.to_do.checked ? "x" : " "}] ${plain(block.to_do.rich_text)}`;
    case "toggle":
      return `- ${plain(block.toggle.rich_text)}`;
    case "quote":
      return `> ${plain(block.quote.rich_text).replaceAll("\n", "\n> ")}`;
    case "callout":
      return plain(block.callout.rich_text);
    case "paragraph":
      return plain(block.paragraph.rich_text);
    case "equation":
      return block.equation.expression;
    case "child_page":
      return block.child_page.title;
    case "bookmark":
      return plain(block.bookmark.caption);
    case "image":
      return plain(block.image.caption);
    case "file":
      return fileLine(block.file);
    case "pdf":
      return fileLine(block.pdf);
    case "audio":
      return fileLine(block.audio);
    case "video":
      return fileLine(block.video);
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
