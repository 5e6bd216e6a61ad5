import { request } from "@octokit/request";
import * as z from "zod";
import { trimmedEnd } from "../../../../kernel/strings.ts";
import type { Json } from "../../../../ports/json.ts";
import { innermost, isFault, ProviderError } from "../../../../ports/provider-faults.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import { remainingBytes, sizeOf } from "./checkpoint-size.ts";
import {
  type Get,
  type GitHub,
  isIncluded,
  listDiscussions,
  listIssues,
  type Query,
  readConversation,
} from "./github-conversations.ts";
import type { Listing, Position, ProviderSession, ReadResult, SessionTools } from "./provider.ts";
import { asFetch, parsed } from "./requests.ts";

/** File types that are read by default: texts written for people. */
const EXTENSIONS = [".md", ".mdx", ".markdown", ".rst", ".txt", ".adoc", ".org"];
const README = /^readme(?:\.[a-z]+)?$/i;
/** GitHub's statuses for something that does not exist, such as a deleted issue or an empty repository. */
const NOT_FOUND = [404, 409, 410, 422];

const Commit = z.object({ sha: z.string(), commit: z.object({ tree: z.object({ sha: z.string() }) }) });
const Tree = z.object({
  truncated: z.boolean().optional(),
  tree: z.array(z.object({ path: z.string(), type: z.string(), sha: z.string() })),
});
const GitBlob = z.object({ content: z.string(), encoding: z.string() });

const Folder = z.object({
  sha: z.string(),
  path: z.string(),
  /** How many of its subfolders are done; it is listed again only for the others. */
  past: z.number().optional(),
});
type Folder = z.infer<typeof Folder>;

/** Folders of one commit that remain to be listed. */
const Folders = z.object({
  commit: z.string(),
  folders: z.array(Folder),
  /** Whether a folder has more entries than GitHub lists. */
  is_cut: z.boolean().default(false),
});
type Folders = z.infer<typeof Folders>;

type Settings = SettingsOf<"code_host">;

/** The position of a listing after the files: the current part, and whether everything before it was listed. */
const ConversationPosition = z.object({
  part: z.enum(["issues", "discussions"]),
  next: z.union([z.string(), z.number()]).optional(),
  commit: z.string().optional(),
  is_whole: z.boolean(),
});
type ConversationPosition = z.infer<typeof ConversationPosition>;

/**
 * The text files of a GitHub branch by hash, skipped while the commit is unchanged; if included, also issues, pull
 * requests and discussions with all answers, by modification time.
 */
export function openGitHub(settings: Settings, tools: SessionTools): ProviderSession {
  const repositoryPath = `/repos/${settings.owner}/${settings.repo}`;
  const send = request.defaults({ baseUrl: settings.base_url, request: { fetch: asFetch(tools.fetch) } });
  const requestParsed = async <T>(schema: z.ZodType<T>, response: Promise<{ data: unknown }>) => {
    const { data } = await response.catch((error: unknown) => {
      throw innermost(error);
    });
    return parsed(schema, data, "GitHub");
  };
  const get: Get = (schema, path) => requestParsed(schema, send(`GET ${repositoryPath}${path}`));
  const graphql = `${settings.base_url.replace(/\/api\/v3$/, "/api")}/graphql`;
  const query: Query = (schema, text, variables) => {
    const { owner, repo } = settings;
    return requestParsed(
      schema,
      send({ method: "POST", url: graphql, query: text, variables: { owner, repo, ...variables } }),
    );
  };
  return {
    list: (position) => translateErrors(() => listNext({ get, query, settings }, position)),
    read: (document) => translateErrors(() => read({ get, query, settings }, document)),
    isGone: (document) => translateErrors(() => isGone({ get, query, settings }, document)),
  };
}

function isConversation({ hint }: FoundDocument): boolean {
  return typeof hint.number === "number";
}

async function read(github: GitHub, document: FoundDocument): Promise<ReadResult> {
  try {
    return await (isConversation(document)
      ? readConversation(github, document)
      : readBlob(github.get, github.settings, document));
  } catch (error) {
    if (isRequestError(error) && NOT_FOUND.includes(error.status)) return "gone";
    throw error;
  }
}

/** A page of issues shifts when an older one is deleted, so a missing one is requested individually. */
async function isGone(github: GitHub, document: FoundDocument): Promise<boolean> {
  if (!isConversation(document) || !isIncluded(github.settings, document)) return true;
  return (await read(github, document)) === "gone";
}

/** Files first, then conversations; the listing is an inventory if each part was one. */
async function listNext({ get, query, settings }: GitHub, { cursor, place }: Position): Promise<Listing> {
  const position = ConversationPosition.safeParse(place);
  if (position.success) return listConversations({ get, query, settings }, position.data);
  const rest = conversationsIn(settings);
  if (!settings.include.includes("files")) return { found: [], ...nextPart(rest, { is_whole: true }) };
  // If conversations are included, unchanged files are listed too, so that missing documents can be deleted.
  const { next, ...listing } = await listPart(get, settings, { place, ...(rest.length === 0 && { cursor }) });
  if (next !== undefined || rest.length === 0) return { ...listing, ...(next !== undefined && { next }) };
  const commit = typeof listing.cursor === "string" ? { commit: listing.cursor } : {};
  return { found: listing.found, ...nextPart(rest, { ...commit, is_whole: listing.isInventory === true }) };
}

/** The parts that follow the files, in order. */
function conversationsIn({ include }: Settings): ConversationPosition["part"][] {
  const hasIssues = include.includes("issues") || include.includes("pull_requests");
  return [
    ...(hasIssues ? (["issues"] as const) : []),
    ...(include.includes("discussions") ? (["discussions"] as const) : []),
  ];
}

/** The position at the first of the remaining parts, or the end of the listing. */
function nextPart(
  parts: ConversationPosition["part"][],
  state: Omit<ConversationPosition, "part" | "next">,
): Pick<Listing, "next" | "cursor" | "isInventory"> {
  const [part] = parts;
  if (part !== undefined) return { next: { part, ...state } };
  return { isInventory: state.is_whole, ...(state.commit !== undefined && { cursor: state.commit }) };
}

async function listConversations(github: GitHub, { part, next, ...state }: ConversationPosition): Promise<Listing> {
  const listed =
    part === "issues"
      ? await listIssues(github, typeof next === "number" ? next : 1)
      : await listDiscussions(github, typeof next === "string" ? next : undefined);
  if (listed.next !== undefined) return { found: listed.found, next: { part, next: listed.next, ...state } };
  const parts = conversationsIn(github.settings);
  return { found: listed.found, ...nextPart(parts.slice(parts.indexOf(part) + 1), state) };
}

async function translateErrors<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (isFault(error) || !isRequestError(error)) throw error;
    throw new ProviderError(`GitHub answers with the status ${error.status}.`);
  }
}

function isRequestError(error: unknown): error is Error & { status: number } {
  return error instanceof Error && error.name === "HttpError" && "status" in error;
}

async function listPart(get: Get, settings: Settings, { cursor, place }: Position): Promise<Listing> {
  const started = Folders.safeParse(place);
  if (started.success) return listFolder(get, settings, started.data);
  const { sha, commit } = await get(Commit, `/commits/${encodeURIComponent(settings.branch ?? "HEAD")}`);
  if (sha === cursor) return { found: [], cursor };
  const { tree, truncated } = await get(Tree, `/git/trees/${commit.tree.sha}?recursive=1`);
  const root = { sha: commit.tree.sha, path: "" };
  if (truncated) return listFolder(get, settings, { commit: sha, folders: [root], is_cut: false });
  return { found: tree.flatMap((entry) => toFound(settings, entry) ?? []), cursor: sha, isInventory: true };
}

/** Lists folder by folder, if the tree is larger than GitHub lists at once. */
async function listFolder(get: Get, settings: Settings, { commit, folders, is_cut }: Folders): Promise<Listing> {
  const [folder, ...others] = folders;
  if (!folder) return { found: [], cursor: commit, isInventory: !is_cut };
  const { tree, truncated = false } = await get(Tree, `/git/trees/${folder.sha}`);
  const entries = tree.map((entry) => ({ ...entry, path: folder.path + entry.path }));
  const found = folder.past === undefined ? entries.flatMap((entry) => toFound(settings, entry) ?? []) : [];
  const inner = entries.filter(({ type }) => type === "tree").map(({ sha, path }) => ({ sha, path: `${path}/` }));
  const remaining: Folders = { commit, folders: unfold(folder, inner, others), is_cut: is_cut || truncated };
  if (remaining.folders.length > 0) return { found, next: remaining as Json };
  return { found, cursor: commit, isInventory: !remaining.is_cut };
}

/**
 * Subfolders are listed before siblings: at least one, otherwise as many as fit in the checkpoint, followed by the
 * folder itself for the rest. A tree never changes under its hash, so a count identifies the rest.
 */
function unfold(folder: Folder, inner: Folder[], others: Folder[]): Folder[] {
  const { past = 0 } = folder;
  const due = inner.slice(past);
  let freeBytes = remainingBytes([folder, ...others]);
  const fitting = due.findIndex((subfolder, index) => {
    freeBytes -= sizeOf(subfolder);
    return freeBytes < 0 && index > 0;
  });
  if (fitting === -1) return [...due, ...others];
  return [...due.slice(0, fitting), { ...folder, past: past + fitting }, ...others];
}

function toFound(
  settings: Settings,
  { path, type, sha }: z.infer<typeof Tree>["tree"][number],
): FoundDocument | undefined {
  if (type !== "blob" || !isWanted(settings, path)) return undefined;
  return { external_id: `${settings.owner}/${settings.repo}/${path}`, version: sha, hint: { sha, path } };
}

function isWanted({ paths, extensions = EXTENSIONS }: Settings, path: string): boolean {
  const folders = paths?.map((given) => trimmedEnd(given.replace(/^\.?\/+/, ""), /\//));
  const isWithin =
    !folders || folders.some((folder) => folder === "" || path === folder || path.startsWith(`${folder}/`));
  const name = path.slice(path.lastIndexOf("/") + 1);
  return (
    isWithin && (README.test(name) || extensions.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase())))
  );
}

async function readBlob(get: Get, settings: Settings, { hint }: FoundDocument): Promise<ReadResult> {
  const [sha, path] = [String(hint.sha), String(hint.path)];
  const { content, encoding } = await get(GitBlob, `/git/blobs/${sha}`);
  const bytes = Buffer.from(content, encoding === "base64" ? "base64" : "utf8");
  if (bytes.byteLength === 0) return "no_text";
  return {
    title: path,
    url: pageOf(settings, path),
    content: { file: { bytes, name: path, content_type: "text/plain" } },
  };
}

/** The file's web page: on github.com, or on the host of an Enterprise Server's API. */
function pageOf({ base_url, owner, repo, branch = "HEAD" }: Settings, path: string): string {
  const site = base_url.replace(/^(https?:\/\/)api\./, "$1").replace(/\/api\/v3$/, "");
  return `${site}/${owner}/${repo}/blob/${[branch, path].join("/").split("/").map(encodeURIComponent).join("/")}`;
}
