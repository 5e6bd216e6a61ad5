import path from "node:path";
import type { Archive } from "./archive.ts";
import { attribute, readXml } from "./xml.ts";

export interface Relationship {
  type: string;
  /** The name of the target part in the archive, or the URL of an external one. */
  target: string;
}

/** Returns the relationships of an Office Open XML part by their ids. */
export async function relationshipsOf(archive: Archive, part: string): Promise<Map<string, Relationship>> {
  const relationships = new Map<string, Relationship>();
  const folder = path.posix.dirname(part);
  readXml(await archive.read(`${folder}/_rels/${path.posix.basename(part)}.rels`), {
    open: {
      Relationship: (attributes) => {
        const target = attribute(attributes, "Target") ?? "";
        const type = (attribute(attributes, "Type") ?? "").split("/").at(-1) ?? "";
        if (attribute(attributes, "TargetMode") === "External") {
          relationships.set(attribute(attributes, "Id") ?? "", { type, target });
          return;
        }
        const name = target.startsWith("/") ? target.slice(1) : path.posix.join(folder, target);
        relationships.set(attribute(attributes, "Id") ?? "", { type, target: name });
      },
    },
  });
  return relationships;
}
