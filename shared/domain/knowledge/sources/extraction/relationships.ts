import path from "node:path";
import type { Archive } from "./archive.ts";
import { attribute, readXml } from "./xml.ts";

interface Relationship {
  type: string;
  /** The part's name in the archive. */
  target: string;
}

/** The references of an Office Open XML part by id. */
export async function relationshipsOf(archive: Archive, part: string): Promise<Map<string, Relationship>> {
  const found = new Map<string, Relationship>();
  const folder = path.posix.dirname(part);
  readXml(await archive.read(`${folder}/_rels/${path.posix.basename(part)}.rels`), {
    open: {
      Relationship: (attributes) => {
        const target = attribute(attributes, "Target") ?? "";
        const type = (attribute(attributes, "Type") ?? "").split("/").at(-1) ?? "";
        const name = target.startsWith("/") ? target.slice(1) : path.posix.join(folder, target);
        found.set(attribute(attributes, "Id") ?? "", { type, target: name });
      },
    },
  });
  return found;
}
