import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLineLogger } from "../../shared/adapters/local/logger.ts";
import { openSmtpMailer, SmtpMailer } from "../../shared/adapters/local/smtp-mailer.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import type { Logger } from "../../shared/kernel/logger.ts";
import type { Mail } from "../../shared/ports/mailer.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { openService } from "../support/service.ts";
import { describeMailer } from "./mailer.ts";

const FROM = "service@example.com";
/** An address of this machine that counts as remote. */
const REMOTE = "127.0.0.2";
const MAIL: Mail = { to: "ann@example.com", subject: "Hello", text: "A secret link\n" };
const PASSWORD = "päss/word+1";

interface Received extends Mail {
  recipients: string[];
  from: string;
  isEncrypted: boolean;
  user: string | undefined;
}

/** Starts a mail server on a free port and records the mails it receives. */
async function startServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username }, _session, done) => done(null, { user: username }),
    onData: async (stream, session, done) => {
      const { to = [], from, subject = "", text = "" } = await PostalMime.parse(await buffer(stream));
      const { envelope, secure: isEncrypted, user } = session;
      received.push({
        to: to.map(({ address }) => address).join(),
        subject,
        text,
        from: from?.address ?? "",
        recipients: envelope.rcptTo.map(({ address }) => address),
        isEncrypted,
        user,
      });
      done();
    },
    ...options,
  });
  server.on("error", () => {});
  server.listen(0, "0.0.0.0");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  return { port, received, close: () => new Promise<void>((resolve) => server.close(resolve)) };
}

async function serverOfTest(options?: SMTPServerOptions) {
  const server = await startServer(options);
  onTestFinished(() => server.close());
  return server;
}

function collectLines() {
  const lines: string[] = [];
  return { lines, logger: createLineLogger("info", (line) => lines.push(line)) };
}

/** Sends a mail. Resolves to the log lines once the server has accepted or rejected it. */
async function sendBy(url: string, mail = MAIL): Promise<string> {
  const { lines, logger } = collectLines();
  const mailer = new SmtpMailer(url, FROM, logger);
  await mailer.send(mail);
  await mailer.close();
  await new Promise(setImmediate);
  return lines.join("\n");
}

/** Returns a key and a certificate for a server on this machine, which Node trusts until the test ends. */
function trustedCertificate(): { key: string; cert: string } {
  const folder = temporaryFolder();
  const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
  const names = `subjectAltName=DNS:localhost,IP:127.0.0.1,IP:${REMOTE}`;
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  execFileSync("openssl", [...request, "-subj", "/CN=localhost", "-addext", names, "-keyout", key, "-out", cert], {
    stdio: "ignore",
  });
  const trusted = getCACertificates("default");
  const made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  setDefaultCACertificates([...trusted, made.cert]);
  onTestFinished(() => setDefaultCACertificates(trusted));
  return made;
}

describeMailer("SMTP", async () => {
  const { port, received, close } = await startServer();
  const { logger } = collectLines();
  const mailer = new SmtpMailer(`smtp://127.0.0.1:${port}`, FROM, logger);
  const delivered = async () => {
    await mailer.close();
    return received.map(({ to, subject, text }) => ({ to, subject, text: text.replaceAll("\r\n", "\n") }));
  };
  return { mailer, delivered, close };
});

describe("the SMTP mailer", () => {
  it("sends from MAIL_FROM, to one recipient whatever the address contains", async () => {
    const { port, received } = await serverOfTest();
    expect(await sendBy(`smtp://localhost:${port}`)).toContain("MAIL_SENT");
    expect(received).toMatchObject([{ from: FROM, recipients: [MAIL.to] }]);
    await sendBy(`smtp://localhost:${port}`, { ...MAIL, to: "ann@example.com, eve@example.com" });
    for (const { recipients } of received) expect(recipients).toHaveLength(1);
  });

  it("authenticates with TLS from the beginning and with STARTTLS", async () => {
    const certificate = trustedCertificate();
    const user = `ada:${encodeURIComponent(PASSWORD)}`;
    const tls = await serverOfTest({ ...certificate, secure: true });
    expect(await sendBy(`smtps://${user}@localhost:${tls.port}`)).toContain("MAIL_SENT");
    const startTls = await serverOfTest({ ...certificate, disabledCommands: [] });
    expect(await sendBy(`smtp://${user}@${REMOTE}:${startTls.port}`)).toContain("MAIL_SENT");
    expect([...tls.received, ...startTls.received]).toMatchObject([
      { isEncrypted: true, user: "ada" },
      { isEncrypted: true, user: "ada" },
    ]);
  });

  it("sends neither mail nor password to another machine without TLS, or with an untrusted certificate", async () => {
    const users: string[] = [];
    const onAuth: SMTPServerOptions["onAuth"] = ({ username }, _session, done) => {
      users.push(username ?? "");
      done(null, { user: username });
    };
    const plain = await serverOfTest({ onAuth, allowInsecureAuth: true });
    const unknown = await serverOfTest({ onAuth, disabledCommands: [] });
    const secure = await serverOfTest({ onAuth, secure: true });
    for (const [protocol, { port }] of [
      ["smtp", plain],
      ["smtp", unknown],
      ["smtps", secure],
    ] as const) {
      expect(await sendBy(`${protocol}://ada:secret-of-ada@${REMOTE}:${port}`)).toContain("MAIL_NOT_SENT");
    }
    expect([...users, ...plain.received, ...unknown.received, ...secure.received]).toEqual([]);
  });

  it("logs the server's refusals, and never the password, whatever the server repeats", async () => {
    const url = `smtp://ada:${encodeURIComponent(PASSWORD)}@localhost`;
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const forms = [PASSWORD, encodeURIComponent(PASSWORD), base64(PASSWORD), base64(`\0ada\0${PASSWORD}`)];
    const echo = Object.assign(new Error(`no: ${forms.join(" ")}`), { responseCode: 550 });
    const { port } = await serverOfTest({ allowInsecureAuth: true, onAuth: (_auth, _session, done) => done(echo) });
    const other = await serverOfTest({ allowInsecureAuth: true, onRcptTo: (_to, _session, done) => done(echo) });
    for (const refused of [await sendBy(`${url}:${port}`), await sendBy(`${url}:${other.port}`)]) {
      expect(JSON.parse(refused)).toMatchObject({ level: "ERROR", message: "MAIL_NOT_SENT", to: MAIL.to });
      expect(refused).toContain("[redacted]");
      for (const form of forms) expect(refused).not.toContain(form);
      expect(refused).not.toContain("secret link");
    }
    expect(await sendBy("smtp://localhost:9")).toContain("ECONNREFUSED");
  });

  it("does not block while a server does not respond, and times out", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const { lines, logger } = collectLines();
    const mailer = new SmtpMailer(`smtp://localhost:${port}`, FROM, logger);
    for (let count = 0; count < 1000; count++) await mailer.send(MAIL);
    await expect(mailer.send(MAIL)).rejects.toThrow("mails wait");
    await mailer.close();
    expect(lines.join("\n")).toContain('"MAILS_LOST_AT_STOP"');
  });

  it("sends the mails of a service on one machine, also while it stops", async () => {
    const { port, received } = await serverOfTest();
    const service = await openService({ MAILER: "smtp", SMTP_URL: `smtp://localhost:${port}`, MAIL_FROM: FROM });
    const body = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
    expect((await service.request("POST", "/auth/register", { key: null, body })).status).toBe(201);
    await service.close();
    expect(received).toMatchObject([{ to: "ada@example.com", from: FROM, text: expect.stringContaining("#token=") }]);
  });
});

describe("settings of MAILER=smtp", () => {
  const logger: Logger = createLineLogger("error", () => {});

  it("are required", () => {
    expect(openSmtpMailer(loadConfig({}), logger)).toBeUndefined();
    expect(() => openSmtpMailer(loadConfig({ MAILER: "smtp" }), logger)).toThrow(/SMTP_URL: .*MAIL_FROM: /);
    const settings = { MAILER: "smtp", SMTP_URL: "smtps://a:b@mail.example.com", MAIL_FROM: FROM };
    expect(openSmtpMailer(loadConfig(settings), logger)).toBeInstanceOf(SmtpMailer);
  });

  it.each([
    "http://mail.example.com",
    "smtp://",
    "smtp://ada:secret-word@mail.example.com?tls.rejectUnauthorized=false",
    "smtp://ada:secret-word@mail.example.com/path",
    "smtp://ada:secret-word%zz@mail.example.com",
    "smtp://ada:secret-word%ff@mail.example.com",
    "mail.example.com",
  ])("refuse %s, without repeating it", (SMTP_URL) => {
    expect(() => loadConfig({ SMTP_URL })).toThrow(/SMTP_URL: must be like/);
    expect(() => loadConfig({ SMTP_URL })).not.toThrow("secret-word");
  });
});
