import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { type Asset, assetOf, filesOf } from "../../shared/runtime/http/page.ts";
import { group } from "./group.ts";

const INDEX = "llms.txt";
const FOLDER = "docs";
/** What the pages lead to, by the file's path in the repository; beside all pages in the folder of the docs. */
const ELSEWHERE = {
  [INDEX]: INDEX,
  "openapi.json": "openapi.json",
  "README.md": "docs/README.md",
  "infra/README.md": "docs/aws.md",
  "clients/typescript/README.md": "docs/typescript.md",
  "clients/python/README.md": "docs/python.md",
};
const LINK = /!?\[([^\]\n]*)\]\(([^()\s]+)\)/g;

interface Pages {
  /** The files of the repository that are served, by their address. */
  sources: ReadonlyMap<string, string>;
  /** The addresses by the file. */
  addresses: ReadonlyMap<string, string>;
  loaded: Map<string, Asset>;
}

let pages: Promise<Pages> | undefined;

/** The list of pages for language models. */
export function readIndex(): Promise<Asset> {
  return read(INDEX, "text/plain; charset=utf-8");
}

/** A page of the documentation by its name. Throws NOT_FOUND for an unknown name. */
export function readPageOfDocs(name: string): Promise<Asset> {
  return read(`${FOLDER}/${name}`, "text/markdown; charset=utf-8");
}

async function read(address: string, type: string): Promise<Asset> {
  pages ??= findPages();
  const { sources, addresses, loaded } = await pages;
  const source = sources.get(address);
  if (!source) throw new ServiceError("NOT_FOUND", "There is no such page. GET /llms.txt lists them.");
  const known = loaded.get(address);
  if (known) return known;
  const text = withServedLinks(await readFile(new URL(source, folder()), "utf8"), { source, address, addresses });
  const asset = assetOf(text, { "Content-Type": type, "Cache-Control": "public, max-age=300" });
  loaded.set(address, asset);
  return asset;
}

/** The names are read once per process, so that a request's name never becomes a path. */
async function findPages(): Promise<Pages> {
  const names = (await readdir(new URL(FOLDER, folder()))).filter((name) => name.endsWith(".md"));
  const own = names.map((name) => [`${FOLDER}/${name}`, `${FOLDER}/${name}`] as const);
  const addresses = new Map([...Object.entries(ELSEWHERE), ...own]);
  return { addresses, sources: new Map([...addresses].map(([file, address]) => [address, file])), loaded: new Map() };
}

/** The root of the repository, or the group's files in a bundle. */
function folder(): URL {
  return filesOf(group, new URL("../../", import.meta.url));
}

/** Leads links between files to their addresses. A link to what is not served becomes its text. */
function withServedLinks(
  text: string,
  { source, address, addresses }: Pick<Pages, "addresses"> & { source: string; address: string },
): string {
  return text.replace(LINK, (link, words: string, target: string) => {
    const [file = "", anchor] = target.split("#");
    if (file === "" || URL.canParse(file)) return link;
    const served = addresses.get(path.posix.join(path.posix.dirname(source), file));
    if (served === undefined) return words;
    const relative = path.posix.relative(path.posix.dirname(address), served);
    return `[${words}](${relative}${anchor === undefined ? "" : `#${anchor}`})`;
  });
}
