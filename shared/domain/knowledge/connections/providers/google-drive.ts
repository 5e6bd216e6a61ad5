import * as z from "zod";
import type { Json } from "../../../../ports/json.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import type { Listing, Position, ProviderSession, ReadDocument, SessionTools } from "./provider.ts";
import { fileOf, isAbsent, jsonOf, parsed } from "./requests.ts";

const SENDER = "Google Drive";
const PAGE = 200;
const FILE_FIELDS = "id,name,mimeType,modifiedTime,md5Checksum,webViewLink,trashed,parents";

const OFFICE = "application/vnd.openxmlformats-officedocument.";
/** Export formats of Google's own file types (Drive API, "Export MIME types"). */
const EXPORTS: Readonly<Record<string, { as: string; ending: string }>> = {
  "application/vnd.google-apps.document": { as: "text/markdown", ending: ".md" },
  // These keep all sheets and slides, unlike CSV and plain text.
  "application/vnd.google-apps.spreadsheet": { as: `${OFFICE}spreadsheetml.sheet`, ending: ".xlsx" },
  "application/vnd.google-apps.presentation": { as: `${OFFICE}presentationml.presentation`, ending: ".pptx" },
};
const GOOGLE_TYPE_PREFIX = "application/vnd.google-apps.";

const DriveFile = z.object({
  id: z.string(),
  name: z.string(),
  mimeType: z.string(),
  modifiedTime: z.string().optional(),
  md5Checksum: z.string().optional(),
  webViewLink: z.string().optional(),
  trashed: z.boolean().optional(),
  parents: z.array(z.string()).optional(),
});
type DriveFile = z.infer<typeof DriveFile>;

const StartToken = z.object({ startPageToken: z.string() });
const FileList = z.object({ nextPageToken: z.string().optional(), files: z.array(DriveFile) });
const ChangeList = z.object({
  nextPageToken: z.string().optional(),
  newStartPageToken: z.string().optional(),
  changes: z.array(
    z.object({ fileId: z.string().optional(), removed: z.boolean().optional(), file: DriveFile.optional() }),
  ),
});

/** The position of a first listing; changes since its start follow in the next run. */
const Inventory = z.object({ start: z.string(), page: z.string().optional() });

/** The files of a Google Drive: all at first, then changes. Uses REST, because Google's client is very large. */
export function openGoogleDrive(settings: SettingsOf<"cloud_drive">, tools: SessionTools): ProviderSession {
  const get: Drive["get"] = (path, query) => {
    const parameters = new URLSearchParams({ ...query, supportsAllDrives: "true" });
    return tools.fetch(`${settings.base_url}/drive/v3${path}?${parameters}`);
  };
  const drive = { get, folder: settings.folder_id };
  return { list: (position) => listPart(drive, position), read: (document) => readFile(drive, document) };
}

interface Drive {
  get(path: string, query: Record<string, string>): Promise<Response>;
  folder: string | undefined;
}

async function jsonAs<T>(schema: z.ZodType<T>, response: Response): Promise<T> {
  return parsed(schema, await jsonOf(response), SENDER);
}

async function listPart(drive: Drive, { cursor, place }: Position): Promise<Listing> {
  const inventory = Inventory.safeParse(place);
  if (inventory.success) return listFiles(drive, inventory.data);
  const token = typeof place === "string" ? place : cursor;
  const changes = typeof token === "string" ? await listChanges(drive, token) : undefined;
  if (changes) return changes;
  const { startPageToken } = await jsonAs(StartToken, await drive.get("/changes/startPageToken", {}));
  return listFiles(drive, { start: startPageToken });
}

async function listFiles(drive: Drive, { start, page }: z.infer<typeof Inventory>): Promise<Listing> {
  const within = drive.folder === undefined ? "" : ` and '${drive.folder}' in parents`;
  const query = {
    q: `trashed = false${within}`,
    fields: `nextPageToken,files(${FILE_FIELDS})`,
    pageSize: String(PAGE),
    includeItemsFromAllDrives: "true",
    ...(page !== undefined && { pageToken: page }),
  };
  const { files, nextPageToken } = await jsonAs(FileList, await drive.get("/files", query));
  const found = files.flatMap((file) => toFound(file) ?? []);
  if (nextPageToken === undefined) return { found, cursor: start, isInventory: true };
  return { found, next: { start, page: nextPageToken } as Json };
}

/** The changes since a token; undefined if it expired, so that everything must be listed again. */
async function listChanges(drive: Drive, pageToken: string): Promise<Listing | undefined> {
  const response = await drive.get("/changes", {
    pageToken,
    fields: `nextPageToken,newStartPageToken,changes(fileId,removed,file(${FILE_FIELDS}))`,
    pageSize: String(PAGE),
    includeItemsFromAllDrives: "true",
  });
  if (await isAbsent(response)) return undefined;
  const { changes, nextPageToken, newStartPageToken } = await jsonAs(ChangeList, response);
  const listing: Listing = { found: [], gone: [] };
  for (const { fileId, removed, file } of changes) {
    const found = file && !removed && isWithin(drive, file) ? toFound(file) : undefined;
    if (found) listing.found.push(found);
    else if (fileId !== undefined) listing.gone?.push(fileId);
  }
  if (nextPageToken !== undefined) return { ...listing, next: nextPageToken };
  return { ...listing, cursor: newStartPageToken ?? pageToken };
}

function isWithin({ folder }: Drive, { trashed, parents = [] }: DriveFile): boolean {
  return !trashed && (folder === undefined || parents.includes(folder));
}

/** The document of a file; undefined for folders, forms and other files without text. */
function toFound({ id, name, mimeType, modifiedTime, md5Checksum, webViewLink }: DriveFile): FoundDocument | undefined {
  if (mimeType.startsWith(GOOGLE_TYPE_PREFIX) && !EXPORTS[mimeType]) return undefined;
  const hint = { name, mime_type: mimeType, ...(webViewLink !== undefined && { url: webViewLink }) };
  return { external_id: id, version: `${md5Checksum ?? modifiedTime ?? ""} ${name}`, hint };
}

async function readFile(drive: Drive, { external_id, hint }: FoundDocument): Promise<ReadDocument | "gone"> {
  const [name, mimeType] = [String(hint.name), String(hint.mime_type)];
  const exported = EXPORTS[mimeType];
  const path = `/files/${encodeURIComponent(external_id)}`;
  const response = exported
    ? await drive.get(`${path}/export`, { mimeType: exported.as })
    : await drive.get(path, { alt: "media" });
  const file = { name: name + (exported?.ending ?? ""), content_type: exported?.as ?? mimeType };
  const content = await fileOf(response, file, SENDER);
  if (content === "gone") return content;
  return { title: name, content, ...(typeof hint.url === "string" && { url: hint.url }) };
}
