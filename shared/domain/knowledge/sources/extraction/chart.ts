import type { Archive } from "./archive.ts";
import type { MarkdownWriter } from "./markdown-writer.ts";
import type { Relationship } from "./relationships.ts";
import { UnreadableError } from "./unreadable.ts";
import { attribute, readXml } from "./xml.ts";

/** Maximum points of a series and series of a chart. */
const MAX_POINTS = 5_000;
const MAX_SERIES = 255;

interface Series {
  name: string;
  categories: string[];
  values: string[];
}

/** Writes the charts and diagrams that a part of an Office Open XML file refers to. Throws UnreadableError. */
export async function writeCharts(
  writer: MarkdownWriter,
  archive: Archive,
  relationships: Iterable<Relationship>,
): Promise<void> {
  for (const { type, target } of relationships) {
    if (type === "chart") writeChart(writer, await archive.read(target));
    else if (type === "diagramData") writeDiagram(writer, await archive.read(target));
  }
}

/** Writes a chart as its titles and a table of its cached values: a column for each series. */
function writeChart(writer: MarkdownWriter, bytes: Uint8Array | undefined): void {
  const titles: string[] = [];
  const series: Series[] = [];
  /** Where read values go: the name, the categories or the values of the last series. */
  let part: keyof Series | undefined;
  let index = 0;
  let isTitle = false;
  const enter = (name: keyof Series) => () => {
    part = name;
  };
  const leave = () => {
    part = undefined;
  };
  const [name, categories, values] = [enter("name"), enter("categories"), enter("values")];
  readXml(bytes, {
    open: {
      title: () => {
        isTitle = true;
        titles.push("");
      },
      ser: () => {
        series.push({ name: "", categories: [], values: [] });
        if (series.length > MAX_SERIES) throw new UnreadableError(`a chart has more than ${MAX_SERIES} series`);
      },
      tx: () => {
        if (!isTitle) name();
      },
      cat: categories,
      xVal: categories,
      val: values,
      yVal: values,
      pt: (attributes) => {
        index = Math.trunc(Math.abs(Number(attribute(attributes, "idx")))) || 0;
      },
    },
    close: {
      title: () => {
        isTitle = false;
      },
      tx: leave,
      cat: leave,
      xVal: leave,
      val: leave,
      yVal: leave,
    },
    textIn: ["v", "t"],
    text: (text) => {
      const last = series.at(-1);
      if (isTitle) titles.push(`${titles.pop() ?? ""}${text}`);
      else if (last && part === "name") last.name += text;
      else if (last && part !== undefined && part !== "name" && index < MAX_POINTS) {
        last[part][index] = (last[part][index] ?? "") + text;
      }
    },
  });
  const named = titles.map((title) => title.trim()).filter((title) => title !== "");
  if (named.length > 0) writer.paragraph(`Chart: ${named.join(", ")}`);
  writer.table(rowsOf(series));
}

function rowsOf(series: Series[]): string[][] {
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const count = Math.max(categories.length, ...series.map(({ values }) => values.length), 0);
  const rows = Array.from({ length: count }, (_, index) => [
    categories[index] ?? "",
    ...series.map(({ values }) => values[index] ?? ""),
  ]);
  return [["Category", ...series.map(({ name }) => name)], ...rows];
}

function writeDiagram(writer: MarkdownWriter, bytes: Uint8Array | undefined): void {
  let text = "";
  readXml(bytes, {
    close: {
      p: () => {
        writer.item(0, text);
        text = "";
      },
    },
    textIn: ["t"],
    text: (part) => {
      text += part;
    },
  });
}
