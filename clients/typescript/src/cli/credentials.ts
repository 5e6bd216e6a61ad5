import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { SetupError } from "./setup-error.ts";

/** The address of a service and the key to send to it. */
export interface Connection {
  url: string;
  key: string;
  /** Where the key comes from. */
  origin: string;
  /** The user who owns the key, as `memory login` found. */
  owner?: string | undefined;
}

type Environment = Record<string, string | undefined>;

const DEFAULT_URL = "http://127.0.0.1:3000";
const OTHERS_ACCESS = 0o077;

/** Returns the path of the file with the address and key that `memory login` stores. */
function credentialsFile(environment: Environment = process.env): string {
  return path.join(configFolder(environment), "credentials.json");
}

function configFolder({ XDG_CONFIG_HOME, APPDATA }: Environment): string {
  const ofSystem = process.platform === "win32" ? APPDATA : XDG_CONFIG_HOME;
  return path.join(ofSystem || path.join(homedir(), ".config"), "memory-service");
}

/** Where programs of this user may keep files of their own. */
export function dataFolder({ XDG_DATA_HOME, LOCALAPPDATA }: Environment = process.env): string {
  const ofSystem = process.platform === "win32" ? LOCALAPPDATA : XDG_DATA_HOME;
  return path.join(ofSystem || path.join(homedir(), ".local", "share"), "memory-service");
}

/** Whether the hooks of agents do nothing: by the environment, or by `memory hooks off`. */
export function areHooksOff(environment: Environment = process.env): boolean {
  return ["off", "0", "false"].includes(environment.MEMORY_HOOKS ?? "") || existsSync(hooksOffFile(environment));
}

/** Switches the hooks of all agents on this machine on or off. */
export function switchHooks(isOn: boolean, environment: Environment = process.env): void {
  const file = hooksOffFile(environment);
  if (isOn) rmSync(file, { force: true });
  else {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, "");
  }
}

function hooksOffFile(environment: Environment): string {
  return path.join(configFolder(environment), "hooks-off");
}

/** Returns the address without a trailing slash. Throws a SetupError if it cannot be the address of a service. */
export function normalizedUrl(address: string): string {
  if (!URL.canParse(address) || !isServiceAddress(new URL(address))) {
    throw new SetupError(
      `'${address}' is not the address of a service.`,
      `Give one like ${DEFAULT_URL}, in MEMORY_URL or to \`memory login --url\`.`,
    );
  }
  return new URL(address).href.replace(/\/$/, "");
}

function isServiceAddress({ protocol, href, origin, search, hash }: URL): boolean {
  return ["http:", "https:"].includes(protocol) && href.startsWith(origin) && search === "" && hash === "";
}

/** Returns the address from the environment or from `memory login`, or else the default one. */
export function serviceUrl(environment: Environment = process.env): string {
  return normalizedUrl(environment.MEMORY_URL || readStored(environment)?.url || DEFAULT_URL);
}

/**
 * Returns the connection from the environment, or else from `memory login`. A stored key is only used for the address
 * it was stored with. Throws a SetupError if there is no key.
 */
export function findConnection(environment: Environment = process.env): Connection {
  const url = serviceUrl(environment);
  const key = environment.MEMORY_API_KEY;
  if (key) return { url, key, origin: "MEMORY_API_KEY" };
  const stored = readStored(environment);
  if (stored?.url === url) return { ...stored, origin: credentialsFile(environment) };
  throw new SetupError(`There is no key for ${url}.`, "Run `memory login`, or set MEMORY_API_KEY to an API key of it.");
}

/** Returns who owns the key that `memory login` stored, if it is the one in use. */
export function storedOwner(environment: Environment = process.env): string | undefined {
  const stored = readStored(environment);
  const { MEMORY_API_KEY: key } = environment;
  const isInUse = stored?.url === serviceUrl(environment) && (!key || key === stored.key);
  return isInUse ? stored.owner : undefined;
}

/** Stores the credentials in a file that only the user can read. Returns its path. */
export function storeCredentials({ url, key, owner }: Omit<Connection, "origin">, environment?: Environment): string {
  const file = credentialsFile(environment);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify({ url, key, owner })}\n`, { mode: 0o600, flag: "wx" });
  renameSync(draft, file);
  return file;
}

function readStored(environment: Environment): Omit<Connection, "origin"> | undefined {
  const file = credentialsFile(environment);
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  if (mode === undefined) return undefined;
  if (process.platform !== "win32" && (mode & OTHERS_ACCESS) !== 0) {
    throw new SetupError(`Other users may read ${file}.`, `Run \`chmod 600 ${file}\`, and rotate the key if they did.`);
  }
  const stored = parsed(readFileSync(file, "utf8"));
  if (typeof stored?.url === "string" && typeof stored.key === "string") {
    const owner = typeof stored.owner === "string" ? stored.owner : undefined;
    return { url: stored.url, key: stored.key, owner };
  }
  throw new SetupError(`${file} is damaged.`, "Run `memory login` again.");
}

function parsed(text: string): Partial<Record<string, unknown>> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}
