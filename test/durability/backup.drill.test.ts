import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { startFauxqs } from "fauxqs";
import { Webhook as Verifier } from "standardwebhooks";
import { expect, onTestFinished, test } from "vitest";
import { FolderHeader } from "../../infra/folder-backup/format.ts";
import { sha256 } from "../../shared/kernel/digest.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { otpOf, PASSWORD, Person, registered, signIn } from "../support/people.ts";
import { answersOf, done, fillOrganization } from "../support/sample-data.ts";
import type { Service } from "../support/service.ts";
import { type ServiceProcess, startService } from "../support/service-process.ts";
import { Caller, eventually } from "../support/target.ts";
import { Audit } from "./audit.ts";
import { Ledger, type State } from "./ledger.ts";
import { newContent, Writer } from "./writer.ts";

const TIMEOUT_MS = 300_000;
const KEY = "the operator's key of backups in tests";
const WRITERS = 8;
const BEFORE_MS = 4_000;
/** Memories stored before the backup, so that copying takes a while. */
const STORED = 2_000;
const TOGETHER = 50;
const INFRA = fileURLToPath(new URL("../../infra", import.meta.url));

const run = promisify(execFile);
const wait = promisify(setTimeout);

/** A ledger that knows what a backup may contain: what was acknowledged when it began, and what was written since. */
class BackupLedger extends Ledger {
  #since: Map<string, State[]> | undefined;
  #isRestored = false;

  begin(): void {
    this.#since = new Map(this.ids.map((id) => [id, [...super.possible(id)]]));
  }

  restored(): void {
    this.#isRestored = true;
  }

  override possible(id: string): State[] {
    return (this.#isRestored ? this.#since?.get(id) : undefined) ?? super.possible(id);
  }

  /** A memory created since may be absent. */
  override created(id: string, content: string): void {
    super.created(id, content);
    const made = super.possible(id);
    this.#since?.set(id, [...made.map((state) => ({ ...state, isDeleted: true })), ...made]);
  }

  override changed(id: string, after: State): void {
    super.changed(id, after);
    this.#since?.get(id)?.push(after);
  }

  override changeUnanswered(id: string, after: State): void {
    super.changeUnanswered(id, after);
    this.#since?.get(id)?.push(after);
  }
}

/** The same service, which records the duration of each request. */
function timed(service: Service): { service: Service; times: { at: number; ms: number }[] } {
  const times: { at: number; ms: number }[] = [];
  const request: Service["request"] = async (method, url, options) => {
    const at = performance.now();
    const answer = await service.request(method, url, options);
    times.push({ at, ms: performance.now() - at });
    return answer;
  };
  return { service: { request }, times };
}

function quantile(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Durations of the writes that overlap a period. */
function latencies(times: { at: number; ms: number }[], from: number, to: number) {
  const sorted = times.filter(({ at, ms }) => at + ms >= from && at < to).map(({ ms }) => ms);
  sorted.sort((a, b) => a - b);
  return { writes: sorted.length, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), worst: quantile(sorted, 1) };
}

async function start(dataDir: string): Promise<ServiceProcess> {
  const service = await startService(dataDir, { EMBEDDER: "lexical", ALLOW_PRIVATE_TARGETS: "1" });
  onTestFinished(() => service.kill());
  return service;
}

/** Runs a command of the operator as a process and returns its output. */
async function command(file: string, ...words: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [path.join(INFRA, file), ...words, "--key", KEY]);
  return stdout;
}

/** Hashes of all blobs by path. */
function blobsOf(dataDir: string): Map<string, string> {
  const entries = readdirSync(path.join(dataDir, "blobs"), { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [path.relative(dataDir, file), sha256(readFileSync(file))]));
}

/** An organization with every kind of data that has a secret or a blob. */
class SampleOrganization {
  readonly #receiver: WebhookReceiver;
  readonly #webhookSecret = `whsec-${randomUUID()}`;
  email = "";
  key = "";
  #otpSecret = "";
  #tokens = { access_token: "", refresh_token: "" };
  #connection = "";

  private constructor(receiver: WebhookReceiver) {
    this.#receiver = receiver;
  }

  static async create(service: Service): Promise<SampleOrganization> {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const sample = new SampleOrganization(receiver);
    const nobody = new Person(service);
    sample.email = (await registered(nobody)).email;
    const { access_token } = await signIn(nobody, sample.email);
    const self = nobody.as(access_token);
    sample.key = (await self.done("/api-keys", { name: "owner", permissions: ["admin:all"] })).key;
    sample.#otpSecret = (await self.done("/auth/2fa/setup")).secret;
    await self.done("/auth/2fa/enable", { otp: otpOf(sample.#otpSecret, Date.now()) });
    // Another user, because enabling a second factor ends the existing sessions.
    sample.#tokens = await signIn(nobody, (await registered(nobody)).email);
    const owner = new Caller(service, sample.key);
    await fillOrganization(owner, { url: receiver.url, secret: sample.#webhookSecret });
    sample.#connection = await connectBucket(owner);
    return sample;
  }

  /** Checks that everything works that needs a secret: API key, access token, password, second factor, webhook, connection. */
  async checkSecrets(service: Service): Promise<void> {
    const owner = new Caller(service, this.key);
    const nobody = new Person(service);
    const { access_token, refresh_token } = this.#tokens;
    expect((await nobody.as(access_token).get("/memories")).status).toBe(200);
    expect((await nobody.done("/auth/refresh", { refresh_token })).access_token).toBeDefined();
    const { challenge_token } = await signIn(nobody, this.email, { password: PASSWORD });
    const otp = otpOf(this.#otpSecret, Date.now(), 1);
    expect((await nobody.done("/auth/2fa/verify", { challenge_token, otp })).access_token).toBeDefined();
    expect(await done(owner.post(`/connections/${this.#connection}/sync`, {}))).toMatchObject({
      status: "completed",
      sources_created: 0,
      sources_removed: 0,
      failed: [],
    });
    const earlier = this.#receiver.received.length;
    const { id } = await done(owner.post("/memories", { content: "Written after the restoration.", user_id: "ada" }));
    await eventually(async () => {
      const ours = this.#receiver.received.slice(earlier).find(({ text }) => text.includes(id));
      const verifier = new Verifier(this.#webhookSecret, { format: "raw" });
      expect(verifier.verify(ours?.text ?? "", ours?.headers as Record<string, string>)).toMatchObject({
        event: "memory.created",
      });
    });
  }
}

/** Creates and syncs a connection to a bucket with one file. Returns its id. */
async function connectBucket(owner: Caller): Promise<string> {
  const server = await startFauxqs({ port: 0, logger: false });
  onTestFinished(() => server.stop());
  const credentials = { accessKeyId: "test", secretAccessKey: "test-secret" };
  const client = new S3Client({ endpoint: server.address, credentials, region: "us-east-1", forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: "documents" }));
  const Body = "Ropes are in the shed.";
  await client.send(new PutObjectCommand({ Bucket: "documents", Key: "ropes.txt", Body, ContentType: "text/plain" }));
  client.destroy();
  const config = {
    ...{ sync_interval_minutes: 0, base_url: server.address, bucket: "documents" },
    ...{ access_key_id: credentials.accessKeyId, secret_access_key: credentials.secretAccessKey },
  };
  const { id } = await done(owner.post("/connections/object_store", { config }));
  expect(await done(owner.post(`/connections/${id}/sync`, {}))).toMatchObject({ sources_created: 1, failed: [] });
  return id;
}

test("a folder that is backed up under load, deleted and restored has lost nothing", {
  timeout: TIMEOUT_MS,
}, async () => {
  const folder = temporaryFolder();
  const [dataDir, target, restored] = ["data", "backup", "restored"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  const audit = new Audit(new BackupLedger());
  const ledger = audit.ledger as BackupLedger;
  const service = await start(dataDir);
  const sample = await SampleOrganization.create(service);
  const answers = await answersOf(new Caller(service, sample.key));
  for (let stored = 0; stored < STORED; stored += TOGETHER) {
    const memories = Array.from({ length: TOGETHER }, () => ({ content: newContent() }));
    const { body } = await service.request("POST", "/memories/batch", { body: { memories } });
    for (const { id, content } of body.data.created) ledger.created(id, content);
  }
  const blobs = blobsOf(dataDir);
  const { body } = await service.request("GET", "/entities?limit=2");
  const entityIds = body.data.entities.map(({ id }: { id: string }) => id);

  const { service: watched, times } = timed(service);
  const startedAt = new Date().toISOString();
  const writers = Array.from({ length: WRITERS }, () => new Writer(watched, ledger, [], entityIds).run());
  await wait(BEFORE_MS);
  ledger.begin();
  const began = performance.now();
  const said = await command("make-backup.ts", "--from", dataDir, "--to", target);
  const ended = performance.now();
  await service.kill();
  await Promise.all(writers);
  rmSync(dataDir, { recursive: true });

  const restoring = performance.now();
  await command("restore-backup.ts", "--from", target, "--to", restored);
  const restoredMs = performance.now() - restoring;
  for (const [file, hash] of blobs) {
    expect(sha256(readFileSync(path.join(restored, file))), file).toBe(hash);
  }
  const again = await start(restored);
  const startedMs = performance.now() - restoring;
  ledger.restored();
  await audit.writeFirst(again);
  // A batch that is unanswered at the end may have stored some of its memories before the backup.
  const adopted = await audit.adoptUnanswered(again, startedAt);
  expect(await answersOf(new Caller(again, sample.key))).toEqual(answers);
  await audit.checkMemories(again, ledger.ids);
  await audit.checkTotals(again);
  await sample.checkSecrets(again);
  await again.stop();

  const before = latencies(times, began - BEFORE_MS, began);
  const during = latencies(times, began, ended);
  const { bytes, files } = FolderHeader.parse(JSON.parse(readFileSync(path.join(target, "backup.json"), "utf8")));
  const figures = {
    ...{ bytes, files, memories: ledger.ids.length, adopted: adopted.length, seconds: (ended - began) / 1000 },
    ...{ secondsToRestore: restoredMs / 1000, secondsUntilServed: startedMs / 1000 },
    ...{ before, during, p50Ratio: during.p50 / before.p50, p95Ratio: during.p95 / before.p95 },
  };
  process.stdout.write(`${said}\n${JSON.stringify(figures, undefined, 2)}\n`);
  expect(during.writes, "writes during the backup").toBeGreaterThan(0);
});
