import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";

/** An output or stored file, with its whole content. */
export interface Place {
  name: string;
  bytes: Buffer;
}

/** The name of a secret and of the place that contains it. */
export interface Leak {
  secret: string;
  place: string;
}

const GZIP_MARK = Buffer.from([0x1f, 0x8b]);

/** The encodings in which a secret may leak. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString("hex"),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
  return [...new Set(forms)].map((form) => Buffer.from(form));
}

/** Returns which of the secrets, by name, occur in which places. */
export function findLeaks(secrets: Map<string, string>, places: Place[]): Leak[] {
  return [...secrets].flatMap(([secret, value]) => {
    const forms = formsOf(value);
    const found = places.filter(({ bytes }) => forms.some((form) => bytes.includes(form)));
    return found.map(({ name: place }) => ({ secret, place }));
  });
}

/**
 * Returns every file of a folder, also unpacked if it is compressed, and all values of each table if it is a database.
 */
export function placesIn(folder: string): Place[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file);
    const bytes = readFileSync(file);
    const unpacked = bytes.subarray(0, 2).equals(GZIP_MARK)
      ? [{ name: `${name} (unpacked)`, bytes: gunzipSync(bytes) }]
      : [];
    return [{ name, bytes }, ...unpacked, ...(name.endsWith(".sqlite") ? tablesIn(file, name) : [])];
  });
}

function tablesIn(file: string, name: string): Place[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.map(({ name: table }) => {
      const rows = database.prepare(`SELECT * FROM "${table}"`).all();
      const values = rows.flatMap((row) => Object.values(row)).map((value) => toBytes(value));
      return { name: `${name} ${table}`, bytes: Buffer.concat(values.flatMap((value) => [value, Buffer.from("\n")])) };
    });
  } finally {
    database.close();
  }
}

function toBytes(value: unknown): Buffer {
  return value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
}
