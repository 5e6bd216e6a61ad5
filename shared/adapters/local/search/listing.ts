import type { DocumentListing, DocumentListRequest, IndexedVersion } from "../../../ports/ports.ts";
import { requireQueryLimit } from "../../../ports/preconditions.ts";
import type { Organizations } from "./organizations.ts";

/** One page of all documents: by organization name, then by id. */
export function listDocuments(
  organizations: Pick<Organizations, "names" | "get">,
  { org: only, limit, after }: DocumentListRequest,
): DocumentListing {
  requireQueryLimit({ limit });
  const [lastOrg, lastId]: string[] = after === undefined ? [] : JSON.parse(after);
  const documents: IndexedVersion[] = [];
  const names = organizations.names().filter((name) => only === undefined || name === only);
  for (const org of names.sort()) {
    if (lastOrg !== undefined && org < lastOrg) continue;
    const behind = org === lastOrg ? lastId : undefined;
    const rows = organizations.get(org).list(limit + 1 - documents.length, behind);
    documents.push(...rows.map((row) => ({ org, ...row })));
    if (documents.length > limit) break;
  }
  if (documents.length <= limit) return { documents };
  const shown = documents.slice(0, limit);
  const last = shown.at(-1);
  return { documents: shown, cursor: JSON.stringify([last?.org, last?.id]) };
}

/** The existing ones among the documents. */
export function findVersions(
  organizations: Pick<Organizations, "get">,
  references: Pick<IndexedVersion, "org" | "id">[],
): IndexedVersion[] {
  const byOrg = Map.groupBy(references, ({ org }) => org);
  return [...byOrg].flatMap(([org, own]) =>
    organizations
      .get(org)
      .versions(own.map(({ id }) => id))
      .map((found) => ({ org, ...found })),
  );
}
