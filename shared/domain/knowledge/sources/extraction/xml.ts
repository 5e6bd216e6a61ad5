import { Parser } from "htmlparser2";
import { decodeText } from "./charset.ts";
import { UnreadableError } from "./unreadable.ts";

/** Maximum element depth; no office program nests deeper. */
const MAX_DEPTH = 256;

export type Attributes = { [name: string]: string };

/** Callbacks for elements by their names without prefixes. */
export interface XmlReader {
  open?: { [name: string]: (attributes: Attributes) => void };
  close?: { [name: string]: () => void };
  text?: (text: string) => void;
  /** Elements whose text is read; all if absent. */
  textIn?: readonly string[];
  /** Elements to skip with their content. */
  skipped?: readonly string[];
  /** Called for each element that is not skipped. */
  openAny?: (name: string, attributes: Attributes) => void;
  closeAny?: () => void;
  /** Whether a document type declaration is accepted; its entities are not resolved. */
  doctype?: boolean;
}

/**
 * Reads an XML document of an office file in linear time. Resolves only XML's five entities. Does nothing without bytes
 * (a missing part of an archive). Throws UnreadableError for a document type declaration and for deep nesting.
 */
export function readXml(document: Uint8Array | string | undefined, reader: XmlReader): void {
  if (document === undefined) return;
  const { open = {}, close = {}, text, textIn, skipped = [], doctype = false } = reader;
  const opening = new Map(Object.entries(open));
  const closing = new Map(Object.entries(close));
  let depth = 0;
  /** Number of open elements whose text is read. */
  let reading = textIn ? 0 : 1;
  /** Depth of the element that is being skipped. */
  let skippedDepth = Number.POSITIVE_INFINITY;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (depth > MAX_DEPTH) throw new UnreadableError("its elements are nested too deep");
        if (depth > skippedDepth) return;
        const local = localName(name);
        if (skipped.includes(local)) skippedDepth = depth;
        else {
          if (textIn?.includes(local)) reading++;
          opening.get(local)?.(attributes);
          reader.openAny?.(local, attributes);
        }
      },
      onclosetag(name) {
        depth--;
        if (depth + 1 > skippedDepth) return;
        if (depth + 1 === skippedDepth) skippedDepth = Number.POSITIVE_INFINITY;
        else {
          const local = localName(name);
          if (textIn?.includes(local)) reading--;
          closing.get(local)?.();
          reader.closeAny?.();
        }
      },
      ontext(part) {
        if (depth < skippedDepth && reading > 0) text?.(part);
      },
      onprocessinginstruction(name) {
        if (!doctype && name.toUpperCase() === "!DOCTYPE")
          throw new UnreadableError("it contains a document type declaration");
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(typeof document === "string" ? document : decodeText(document));
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Returns an attribute by its name without a prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? prefixed(attributes, name);
}

/** Returns an attribute with any prefix: `r:id` for `id`. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((candidate) => candidate.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}
