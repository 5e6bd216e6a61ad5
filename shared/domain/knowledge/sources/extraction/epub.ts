import path from "node:path";
import type { Archive } from "./archive.ts";
import { decodeText } from "./charset.ts";
import { readHtml } from "./html.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { attribute, readXml } from "./xml.ts";

const CONTAINER = "META-INF/container.xml";
const CONTENT_TYPES = new Set(["application/xhtml+xml", "text/html"]);

/** The text of a book chapter by chapter in reading order, with its title. Throws UnreadableError. */
export async function readEpub(archive: Archive): Promise<{ writer: MarkdownWriter; title: string }> {
  const writer = new MarkdownWriter();
  const { title, chapters } = await readPackage(archive);
  for (const chapter of chapters) {
    const bytes = await archive.read(chapter);
    if (!bytes) continue;
    const { text } = readHtml(decodeText(bytes, { html: true }), { page: false });
    if (text === "") continue;
    writer.pageBreak();
    writer.markdown(text);
  }
  return { writer, title };
}

async function readPackage(archive: Archive): Promise<{ title: string; chapters: string[] }> {
  let packageName = "";
  readXml(await archive.require(CONTAINER), {
    open: {
      rootfile: (attributes) => {
        packageName ||= attribute(attributes, "full-path") ?? "";
      },
    },
  });
  const folder = path.posix.dirname(packageName);
  const files = new Map<string, string>();
  const chapters: string[] = [];
  let title = "";
  let isTitle = false;
  readXml(await archive.require(packageName), {
    open: {
      title: () => {
        isTitle = title === "";
      },
      item: (attributes) => {
        if (!CONTENT_TYPES.has(attribute(attributes, "media-type") ?? "")) return;
        const name = path.posix.join(folder, unescaped(attribute(attributes, "href") ?? ""));
        files.set(attribute(attributes, "id") ?? "", name);
      },
      itemref: (attributes) => {
        const file = files.get(attribute(attributes, "idref") ?? "");
        if (file !== undefined) chapters.push(file);
      },
    },
    close: {
      title: () => {
        isTitle = false;
      },
    },
    text: (text) => {
      if (isTitle) title += text;
    },
  });
  return { title: title.trim(), chapters: [...new Set(chapters)] };
}

function unescaped(reference: string): string {
  return URL.canParse(reference, "file:///")
    ? decodeURIComponent(new URL(reference, "file:///").pathname.slice(1))
    : reference;
}
