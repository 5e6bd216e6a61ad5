import { createHash, randomBytes, randomUUID } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { Webhook as Verifier } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ARCHIVE_PREFIX } from "../../shared/domain/operations/backups/archives.ts";
import { InvalidArchiveError } from "../../shared/domain/operations/backups/format.ts";
import { sha256 } from "../../shared/kernel/digest.ts";
import { pagesOf } from "../../shared/ports/pages.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { ALL, backUp, downloadLatest, restore } from "../support/backups.ts";
import { findLeaks } from "../support/canary.ts";
import { newEmail, otpOf, PASSWORD } from "../support/people.ts";
import { answersOf, done, fillOrganization } from "../support/sample-data.ts";
import type { TestedService } from "../support/service.ts";
import { Caller, eventually, IS_DEPLOYED, openTarget, openTestedService, type Target } from "../support/target.ts";
import { bearer } from "../support/users.ts";

const BACKUP_KEY = "the operator's key of backups in tests";
const ENVIRONMENT = { BACKUP_KEY, ALLOW_PRIVATE_TARGETS: "1" };
/** Opening a platform on the engines is slow. */
const LONG = 180_000;

/** Kinds of records that the service keeps writing by itself, so that they differ a moment later. */
const IN_MOTION = new Set([
  "rate_limits",
  "usage",
  "rollup",
  "tally",
  "idempotency",
  "audit",
  "sweep",
  "sweep_run",
  "maintenance_cleanup",
]);
const NOT_ARCHIVED = new Set(["backup", "backup_job", "restoration"]);

let target: Target;
let service: TestedService;
let operator: Caller;
let owner: Caller;
let receiver: WebhookReceiver;
const secrets = new Map<string, string>();

function note(what: string, value: string): string {
  secrets.set(what, value);
  return value;
}

async function recordsOf({ ports }: Runtime): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  for await (const page of ports.inventory.snapshot().pages) records.push(...page);
  return records
    .filter(({ kind }) => !NOT_ARCHIVED.has(kind))
    .toSorted((a, b) => Buffer.compare(Buffer.from(`${a.pk} ${a.sk}`), Buffer.from(`${b.pk} ${b.sk}`)));
}

/** Returns the records that must not change. An entity's record names any of the memories that mention it. */
const settled = (records: StoredRecord[]) =>
  records
    .filter(({ kind }) => !IN_MOTION.has(kind))
    .map((record) => (record.kind === "entity" ? { ...record, memory_id: undefined } : record));

async function blobsOf({ ports: { blobs } }: Runtime) {
  const found = new Map<string, { type: string; sha256: string }>();
  for await (const page of pagesOf((after) => blobs.list({ limit: 1000, after }))) {
    for (const { key } of page.blobs.filter((each) => !each.key.startsWith(ARCHIVE_PREFIX))) {
      const blob = await blobs.get(key);
      found.set(key, { type: blob?.contentType ?? "", sha256: sha256(blob?.bytes ?? "") });
    }
  }
  return found;
}

async function documentsOf({ ports: { search } }: Runtime) {
  const found: unknown[] = [];
  for await (const { documents } of pagesOf((after) => search.list({ limit: 1000, after }))) found.push(...documents);
  return found;
}

async function fillStores(): Promise<void> {
  await fillOrganization(owner, { url: receiver.url, secret: note("webhook secret", `whsec-${randomUUID()}`) });
}

/** Registers a person with a password and a second factor. */
async function register(): Promise<{ email: string; otpSecret: string }> {
  const email = newEmail();
  const ask = async (url: string, body: object, headers = {}) => {
    const answer = await service.request("POST", url, { key: null, headers, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.data;
  };
  await ask("/auth/register", { email, password: PASSWORD, name: "Ada" });
  const { access_token, refresh_token } = await ask("/auth/login", { email, password: PASSWORD });
  note("refresh token", refresh_token);
  const { secret } = await ask("/auth/2fa/setup", {}, bearer(access_token));
  note("TOTP secret", secret);
  const otp = otpOf(secret, service.runtime.clock());
  const { recovery_codes } = await ask("/auth/2fa/enable", { otp }, bearer(access_token));
  note("recovery code", recovery_codes[0]);
  note("hash of a recovery code", sha256(recovery_codes[0]));
  return { email, otpSecret: secret };
}

let person: Awaited<ReturnType<typeof register>>;
let archive: Buffer;
let lines: string[];

beforeAll(async () => {
  receiver = await startReceiver();
  target = await openTarget(ENVIRONMENT);
  service = target.service as TestedService;
  operator = new Caller(service, service.adminKey);
  owner = await target.organization();
  note("password", PASSWORD);
  note("API key", owner.key);
  note("hash of the API key", sha256(owner.key));
  note("key of backups", BACKUP_KEY);
});
afterAll(async () => {
  await target.close();
  await receiver.close();
});

/** Opens a separate service while `use` runs. */
async function inNewService<T>(use: (fresh: TestedService) => Promise<T>, environment = ENVIRONMENT): Promise<T> {
  const fresh = await openTestedService(environment);
  try {
    return await use(fresh);
  } finally {
    await fresh.close();
  }
}

describe("requesting a backup", () => {
  it("returns BACKUP_NOT_FOUND for the latest backup while there is none", async () => {
    const { status, body } = await operator.get("/admin/backup/latest");
    expect([status, body.error?.code]).toEqual([404, "BACKUP_NOT_FOUND"]);
    expect((await done(operator.get("/admin/backups"))).backups).toEqual([]);
  });

  it.each([
    [{ components: ["memories", "everything"] }, "components.1"],
    [{ components: [] }, "components"],
    [{}, "components"],
    [{ components: ["config"], retention_days: 0 }, "retention_days"],
    [{ components: ["config"], retention_days: -1 }, "retention_days"],
    [{ components: ["config"], include_logs: "yes" }, "include_logs"],
  ])("rejects %j", async (given, field) => {
    const { status, body } = await operator.post("/admin/backup", given);
    expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(body.error?.details.fields.map((each: { field: string }) => each.field)).toContain(field);
    expect((await done(operator.get("/admin/backups"))).pagination.total).toBe(0);
  });

  it("requires the operator", async () => {
    for (const answer of [
      await owner.post("/admin/backup", ALL),
      await owner.get("/admin/backups"),
      await owner.get("/admin/backup/latest"),
    ]) {
      expect([answer.status, answer.body.error?.code]).toEqual([403, "FORBIDDEN"]);
    }
  });

  it(
    "creates an archive that is listed and can be downloaded, with a matching manifest",
    async () => {
      await fillStores();
      person = await register();
      const given = { ...ALL, components: [...ALL.components, "memories"], retention_days: 3 };
      const made = await backUp(operator, given);
      expect(made).toMatchObject({
        id: expect.stringMatching(/^bak_/),
        components: ALL.components,
        include_logs: true,
        retention_days: 3,
        has_secrets: true,
        left_out: 0,
        progress: { records: expect.any(Number), blobs: expect.any(Number), bytes: made.size_bytes },
      });
      expect(Date.parse(made.expires_at) - Date.parse(made.completed_at)).toBe(3 * 86_400_000);
      archive = await downloadLatest(target, operator);
      expect(archive.byteLength).toBe(made.size_bytes);
      expect(createHash("sha256").update(archive).digest("hex")).toBe(made.sha256);
      lines = gunzipSync(archive).toString().trimEnd().split("\n");
      const { manifest } = JSON.parse(lines.at(-1) ?? "");
      expect(JSON.parse(lines[0] ?? "")).toMatchObject({
        format: 1,
        id: made.id,
        components: [...ALL.components, "logs"],
      });
      expect(Object.keys(manifest.components).sort()).toEqual([...ALL.components, "logs", "secrets"].sort());
      expect(manifest.records).toBe(made.progress.records);
    },
    LONG,
  );
});

// There is only one deployment, but an archive is restored into another one.
describe.skipIf(IS_DEPLOYED)("restoring (into a second service)", () => {
  it(
    "reproduces records, blobs, search results and sign-ins",
    async () => {
      const expected = { records: settled(await recordsOf(service.runtime)), blobs: await blobsOf(service.runtime) };
      expect(expected.blobs.size).toBeGreaterThan(0);
      const documents = await documentsOf(service.runtime);
      const answers = await answersOf(owner);
      expect(
        JSON.stringify(answers.slice(0, 3)).match(/drinks tea|Ships call|wants a refund/g)?.length,
      ).toBeGreaterThan(2);
      await inNewService(async (fresh) => {
        const before = settled(await recordsOf(fresh.runtime));
        const report = await restore(fresh.runtime, archive);
        expect(report).toMatchObject({ left_out: 0, documents: documents.length, documents_named: documents.length });
        const records = settled(await recordsOf(fresh.runtime));
        const ofFirstStart = new Set(before.map(({ pk }) => pk));
        const own = (all: StoredRecord[]) => all.filter(({ pk }) => !ofFirstStart.has(pk));
        expect(own(records)).toEqual(own(expected.records));
        expect(await blobsOf(fresh.runtime)).toEqual(expected.blobs);
        expect(await documentsOf(fresh.runtime)).toEqual(documents);
        const again = new Caller(fresh, owner.key);
        await eventually(async () => expect(await answersOf(again)).toEqual(answers));

        const login = { email: person.email, password: PASSWORD };
        const { body } = await fresh.request("POST", "/auth/login", { key: null, body: login });
        expect(body.data.two_factor_required).toBe(true);
        const otp = otpOf(person.otpSecret, fresh.runtime.clock(), 1);
        const proof = { challenge_token: body.data.challenge_token, otp };
        const signedIn = await fresh.request("POST", "/auth/2fa/verify", { key: null, body: proof });
        expect(signedIn.status, JSON.stringify(signedIn.body)).toBe(200);
        const stored = await done(
          again.post("/memories", { content: "Written after the restoration.", user_id: "ada" }),
        );
        expect((await done(again.get(`/memories/${stored.id}`))).content).toContain("after the restoration");
        await eventually(async () => expect(receiver.received).toHaveLength(1));
        const [{ text, headers } = { text: "", headers: {} }] = receiver.received.splice(0);
        const verifier = new Verifier(secrets.get("webhook secret") ?? "", { format: "raw" });
        expect(verifier.verify(text, headers as Record<string, string>)).toMatchObject({ event: "memory.created" });
      });
    },
    LONG,
  );

  it(
    "sends no webhooks and creates no deliveries",
    async () => {
      await inNewService(async (fresh) => {
        await restore(fresh.runtime, archive);
        await fresh.runtime.drainChangeFeed();
        const deliveries = (records: StoredRecord[]) => records.filter(({ kind }) => /deliver|dead/.test(kind)).length;
        expect(deliveries(await recordsOf(fresh.runtime))).toBe(
          lines.filter((line) => /"kind":"[a-z_]*(deliver|dead)/.test(line)).length,
        );
        expect(receiver.received).toEqual([]);
      });
    },
    LONG,
  );

  it(
    "without the key requires withoutSecrets, and leaves the secrets out",
    async () => {
      await inNewService(
        async (fresh) => {
          await expect(restore(fresh.runtime, archive)).rejects.toThrow(/BACKUP_KEY/);
          const report = await restore(fresh.runtime, archive, { withoutSecrets: true });
          expect(report.secrets).toBe(0);
          expect(report.left_out).toBeGreaterThan(0);
          expect((await fresh.request("GET", "/memories", { key: owner.key })).status).toBe(401);
          const login = { email: person.email, password: PASSWORD };
          expect((await fresh.request("POST", "/auth/login", { key: null, body: login })).status).toBe(401);
        },
        { ...ENVIRONMENT, BACKUP_KEY: "" },
      );
    },
    LONG,
  );

  it(
    "resumes after a failure, but only with the same archive",
    async () => {
      await backUp(operator, { components: ["skills"] });
      const other = await downloadLatest(target, operator);
      await inNewService(async (fresh) => {
        const { inventory } = fresh.runtime.ports;
        const broken: Runtime = {
          ...fresh.runtime,
          ports: {
            ...fresh.runtime.ports,
            inventory: {
              ...inventory,
              list: (request) => inventory.list(request),
              snapshot: () => inventory.snapshot(),
              fill: async (records) => {
                await inventory.fill(records.slice(0, 3));
                throw new Error("the power went");
              },
            },
          },
        };
        await expect(restore(broken, archive)).rejects.toThrow("the power went");
        await expect(restore(fresh.runtime, other)).rejects.toThrow(/beginning of another restoration/);
        await restore(fresh.runtime, archive);
        expect((await done(new Caller(fresh, owner.key).get("/memories"))).pagination.total).toBeGreaterThan(3);
      });
    },
    LONG,
  );
});

describe.skipIf(IS_DEPLOYED)("restoring is rejected (by a second service)", () => {
  const packed = (all: string[]) => gzipSync(`${all.join("\n")}\n`);
  const changedAt = (find: (line: string) => boolean, change: (line: string) => string) => {
    const index = lines.findIndex(find);
    expect(index).toBeGreaterThanOrEqual(0);
    return packed(lines.with(index, change(lines[index] ?? "")));
  };
  const has = (text: string) => (line: string) => line.includes(text);
  const header = (change: object) =>
    packed(lines.with(0, JSON.stringify({ ...JSON.parse(lines[0] ?? ""), ...change })));

  const BAD: [string, () => Buffer, RegExp][] = [
    ["an empty file", () => Buffer.alloc(0), /empty/],
    ["a file of another kind", () => Buffer.from("no archive\n"), /not an archive/],
    ["half of an archive", () => archive.subarray(0, archive.length / 2), /incomplete|damaged/],
    ["an archive without its last byte", () => archive.subarray(0, -1), /incomplete/],
    ["an archive without its manifest", () => packed(lines.slice(0, -1)), /incomplete/],
    ["an archive that ends within a line", () => Buffer.from(lines.join("\n").slice(0, -9)), /incomplete/],
    ["a flipped bit in the compressed file", () => flipped(archive), /damaged|incomplete/],
    [
      "an archive with a changed record",
      () => changedAt(has("tea."), (line) => line.replace("tea.", "gin.")),
      /memories/,
    ],
    [
      "an archive with a missing record",
      () => packed(lines.filter((line) => !line.includes('"kind":"session"'))),
      /sessions/,
    ],
    [
      "an archive with a duplicate record",
      () => packed([...lines.slice(0, 9), lines[8] ?? "", ...lines.slice(9)]),
      /damaged/,
    ],
    [
      "an archive with a changed piece of a blob",
      () => changedAt(has('"piece":"'), (line) => line.replace(/"piece":"..../, '"piece":"AAAA')),
      /blob/,
    ],
    [
      "an archive with a changed secret",
      () => changedAt(has('"component":"secrets"'), (line) => line.replace(/.{8}"}$/, 'AAAAAAA="}')),
      /secrets/,
    ],
    ["an archive of a newer format", () => header({ format: 2 }), /Update the service/],
    ["an archive of a newer service", () => header({ service: "99.0.0" }), /Update the service/],
    ["an archive with another header", () => header({ created_at: "2020-01-01T00:00:00.000Z" }), /header/],
    ["an archive whose manifest was recomputed", () => packed(remade(lines)), /vouch/],
  ];

  let fresh: TestedService;
  let before: StoredRecord[];

  beforeAll(async () => {
    fresh = await openTestedService(ENVIRONMENT);
    before = settled(await recordsOf(fresh.runtime));
  });
  afterAll(() => fresh.close());

  it.each(BAD)(
    "for %s",
    async (_, make, reason) => {
      const failed = restore(fresh.runtime, make());
      await expect(failed).rejects.toThrow(InvalidArchiveError);
      await expect(failed).rejects.toThrow(reason);
      expect(settled(await recordsOf(fresh.runtime))).toEqual(before);
      expect(await blobsOf(fresh.runtime)).toEqual(new Map());
      expect(await documentsOf(fresh.runtime)).toEqual([]);
    },
    LONG,
  );

  it(
    "for any archive with another key",
    async () => {
      const config = { ...fresh.runtime.config, BACKUP_KEY: "some other key of an operator" };
      await expect(restore({ ...fresh.runtime, config }, archive)).rejects.toThrow(/key is not the key of/);
      expect(settled(await recordsOf(fresh.runtime))).toEqual(before);
    },
    LONG,
  );

  it("for any archive if the service is not empty", async () => {
    const held = settled(await recordsOf(service.runtime));
    await expect(restore(service.runtime, archive)).rejects.toThrow(/not empty/);
    expect(settled(await recordsOf(service.runtime))).toEqual(held);
  });
});

/** Returns the archive with one record changed and the checksums of its component and the manifest updated. */
function remade(all: string[]): string[] {
  const changed = all.map((line) => line.replace("drinks tea.", "drinks gin."));
  const closing = JSON.parse(changed.at(-1) ?? "");
  const own = changed.filter((line) => line.startsWith('{"component":"memories"')).map((line) => `${line}\n`);
  Object.assign(closing.manifest.components.memories, {
    bytes: Buffer.byteLength(own.join("")),
    sha256: sha256(own.join("")),
  });
  return changed.with(-1, JSON.stringify(closing));
}

function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const index = Math.floor(copy.length / 2);
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}

describe("secrets", () => {
  it("do not appear in an unpacked archive", async () => {
    for (const name of ["sealing/data-key", "bootstrap/first-admin-key"] as const) {
      const value = await service.runtime.ports.secrets.get(name);
      if (value !== undefined) note(name, value);
    }
    for (const { kind, password_hash } of await recordsOf(service.runtime)) {
      if (kind === "user" && typeof password_hash === "string") note("hash of a password", password_hash);
    }
    expect(secrets.size).toBeGreaterThan(9);
    expect(findLeaks(secrets, [{ name: "archive", bytes: gunzipSync(archive) }])).toEqual([]);
  });

  it.skipIf(IS_DEPLOYED)(
    "are left out of a backup without a key, and everything else is restored (in a second service)",
    async () => {
      await inNewService(
        async (fresh) => {
          const caller = new Caller(fresh, fresh.adminKey);
          await done(caller.post("/memories", { content: "Ada prefers tea.", user_id: "ada" }));
          await done(caller.post("/admin/backup", ALL));
          const bytes = await eventually(async () => {
            const answer = await caller.get("/admin/backup/latest");
            expect(answer.status).toBe(200);
            return answer.bytes;
          });
          const [made] = (await done(caller.get("/admin/backups"))).backups;
          expect(made).toMatchObject({ has_secrets: false });
          expect(made.left_out).toBeGreaterThan(0);
          const own = new Map([
            ["key", fresh.adminKey],
            ["hash", sha256(fresh.adminKey)],
          ]);
          expect(findLeaks(own, [{ name: "archive", bytes: gunzipSync(bytes) }])).toEqual([]);
          await inNewService(async (other) => {
            await expect(restore(other.runtime, bytes)).rejects.toThrow(/is not sealed/);
          });
          await inNewService(
            async (other) => {
              await restore(other.runtime, bytes);
              const { memories } = await done(new Caller(other, other.adminKey).get("/memories"));
              expect(memories.map(({ content }: { content: string }) => content)).toEqual(["Ada prefers tea."]);
            },
            { ...ENVIRONMENT, BACKUP_KEY: "" },
          );
        },
        { ...ENVIRONMENT, BACKUP_KEY: "" },
      );
    },
    LONG,
  );
});

describe("partial backups", () => {
  it("contain only the requested components, uncompressed on request", async () => {
    const made = await backUp(operator, { components: ["sessions"], compression_enabled: false });
    const bytes = await downloadLatest(target, operator);
    const [first, ...rest] = bytes.toString().trimEnd().split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ id: made.id, components: ["sessions"] });
    const components = new Set(rest.slice(0, -1).map((line) => JSON.parse(line).component));
    expect([...components].sort()).toEqual(["secrets", "sessions"]);
  });

  it.skipIf(IS_DEPLOYED)(
    "are downloaded through a link if they are too large for a response (and restored into a second service)",
    async () => {
      const large = randomBytes(5_000_000);
      const key = "content/org_none/mem_none/large";
      await service.runtime.ports.blobs.put(key, { bytes: large, contentType: "application/x-large" });
      await backUp(operator, { components: ["blobs"] });
      const answer = await operator.get("/admin/backup/latest");
      expect(answer.status).toBe(303);
      const downloaded = await downloadLatest(target, operator);
      expect(downloaded.byteLength).toBeGreaterThan(large.byteLength);
      await inNewService(async (fresh) => {
        await restore(fresh.runtime, downloaded);
        const restored = await fresh.runtime.ports.blobs.get(key);
        expect(restored?.contentType).toBe("application/x-large");
        expect(large.equals(restored?.bytes ?? Buffer.of())).toBe(true);
      });
    },
    LONG,
  );

  it("are listed in pages, newest first", async () => {
    const listed = await done(operator.get("/admin/backups?limit=200"));
    const ids = listed.backups.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const { pagination: total } = await done(operator.get("/admin/backups?limit=1"));
    expect(total).toMatchObject({ total: ids.length, limit: 1, has_next: true });
  });
});
