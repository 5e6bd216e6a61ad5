import { Parser } from "htmlparser2";
import { decodeText } from "./charset.ts";
import { Unreadable } from "./unreadable.ts";

/** Elements within elements; no office program nests deeper. */
const MAX_DEPTH = 256;

export type Attributes = { [name: string]: string };

/** What to do at the elements of a document, by their names without prefixes. */
export interface XmlReader {
  open?: { [name: string]: (attributes: Attributes) => void };
  close?: { [name: string]: () => void };
  text?: (text: string) => void;
  /** Elements that are passed over with all they hold. */
  skipped?: readonly string[];
}

/**
 * Reads an XML document of an office file from its beginning to its end, without a tree. No entity is declared or resolved
 * but the five of XML. Throws Unreadable for a document type and for elements nested too deep. Linear in time.
 */
export function readXml(bytes: Uint8Array, { open = {}, close = {}, text, skipped = [] }: XmlReader): void {
  const opening = new Map(Object.entries(open));
  const closing = new Map(Object.entries(close));
  let depth = 0;
  /** Depth of the element that is passed over. */
  let passed = Number.POSITIVE_INFINITY;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (depth > MAX_DEPTH) throw new Unreadable("its elements are nested too deep");
        if (depth > passed) return;
        const local = localName(name);
        if (skipped.includes(local)) passed = depth;
        else opening.get(local)?.(attributes);
      },
      onclosetag(name) {
        depth--;
        if (depth + 1 > passed) return;
        if (depth + 1 === passed) passed = Number.POSITIVE_INFINITY;
        else closing.get(localName(name))?.();
      },
      ontext(part) {
        if (depth < passed) text?.(part);
      },
      onprocessinginstruction(name) {
        if (name.toUpperCase() === "!DOCTYPE") throw new Unreadable("it declares a document type of its own");
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(decodeText(bytes));
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** An attribute by its name without a prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? prefixed(attributes, name);
}

/** An attribute that has a prefix, as `r:id` has beside `id`. */
export function prefixed(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => each.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}
