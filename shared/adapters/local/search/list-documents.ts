import { requireQueryLimit } from "../../../ports/preconditions.ts";
import type { DocumentListing, DocumentListRequest, IndexedVersion } from "../../../ports/search-index.ts";
import type { Organizations } from "./organizations.ts";

/** One page of all documents: by organization name, then by id. */
export function listDocuments(
  organizations: Organizations,
  { org: onlyOrg, limit, after }: DocumentListRequest,
): DocumentListing {
  requireQueryLimit({ limit });
  const [lastOrg, lastId]: string[] = after === undefined ? [] : JSON.parse(after);
  const documents: IndexedVersion[] = [];
  const names = organizations.names().filter((name) => onlyOrg === undefined || name === onlyOrg);
  for (const org of names.sort()) {
    if (lastOrg !== undefined && org < lastOrg) continue;
    const afterId = org === lastOrg ? lastId : undefined;
    const rows = organizations.get(org).list(limit + 1 - documents.length, afterId);
    documents.push(...rows.map((row) => ({ org, ...row })));
    if (documents.length > limit) break;
  }
  if (documents.length <= limit) return { documents };
  const shown = documents.slice(0, limit);
  const last = shown.at(-1);
  return { documents: shown, cursor: JSON.stringify([last?.org, last?.id]) };
}

/** The versions of those documents that exist. */
export function findVersions(
  organizations: Organizations,
  references: Pick<IndexedVersion, "org" | "id">[],
): IndexedVersion[] {
  const byOrg = Map.groupBy(references, ({ org }) => org);
  return [...byOrg].flatMap(([org, referencesOfOrg]) =>
    organizations
      .get(org)
      .versions(referencesOfOrg.map(({ id }) => id))
      .map((found) => ({ org, ...found })),
  );
}
