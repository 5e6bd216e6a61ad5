import { expect, it } from "vitest";
import { type Block, toMarkdown } from "./notion-markdown.ts";

/** A block with the fields of Notion's API that are read here. */
function block(type: string, content: object, children: Block[] = []): Block {
  return { block: { type, [type]: content } as unknown as Block["block"], children };
}

const rich = (text: string) => ({ rich_text: [{ plain_text: text }] });
const row = (...cells: string[]) => block("table_row", { cells: cells.map((text) => [{ plain_text: text }]) });

it("keeps headings, lists, quotes, code and tables, and omits blocks without text", () => {
  const text = toMarkdown([
    block("heading_2", rich("Moor")),
    block("unsupported", {}),
    block("numbered_list_item", rich("Slow down")),
    block("numbered_list_item", rich("Throw"), [block("to_do", { ...rich("the bow line"), checked: true })]),
    block("paragraph", rich("")),
    block("numbered_list_item", rich("Tie")),
    block("quote", rich("Two lines\nof it")),
    block("code", { ...rich("a = 1"), language: "python" }),
    block("table", {}, [row("Rope", "Length"), row("Bow", "10 m")]),
    block("column_list", {}, [block("column", {}, [block("paragraph", rich("Beside"))])]),
    block("divider", {}),
  ]);
  expect(text).toBe(`## Moor

1. Slow down
2. Throw
  - [x] the bow line

1. Tie

> Two lines
> of it

\`\`\`python
a = 1
\`\`\`

| Rope | Length |
| --- | --- |
| Bow | 10 m |

Beside

---`);
});
