import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Hono } from "hono";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Endpoint } from "./endpoint.ts";

const TIMEOUT_SECONDS = 1;
const IDLE_CONNECTIONS = 200;
/** Far below Node's own limits, of a minute and more. */
const LATEST_MS = 15_000;

const CONFIG = { HOST: "127.0.0.1", PORT: 0, PLATFORM: "local", REQUEST_TIMEOUT_SECONDS: TIMEOUT_SECONDS } as const;
const CLOSING = { refuseWaiting: () => {}, answerForUnfinished: () => new Response("unfinished", { status: 503 }) };

const endpoint = new Endpoint(CONFIG);

const app = new Hono();
app.post("/body", async ({ req, text }) => text(await req.text()));
app.get("/", ({ text }) => text("here"));
app.onError(({ message }, { text }) => text(message, 500));
const port = Number(new URL(await endpoint.listen(app.fetch)).port);
afterAll(() => endpoint.close(CLOSING));

interface Conversation {
  socket: Socket;
  /** Everything received until the connection ended, and the milliseconds until then. */
  ended: Promise<{ answer: string; afterMs: number }>;
}

function open(text = "", to = port): Conversation {
  const beganAt = performance.now();
  const socket = connect(to, "127.0.0.1");
  socket.on("error", () => {});
  let answer = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    answer += part;
  });
  if (text !== "") socket.write(text);
  // Not `once`, which fails with the error of a write to a socket that the server has closed.
  const closed = new Promise((resolve) => socket.on("close", resolve));
  const ended = closed.then(() => ({ answer, afterMs: performance.now() - beganAt }));
  return { socket, ended };
}

/** Sends a text repeatedly while the socket is writable. */
async function sendSlowly({ socket }: Conversation, text: string): Promise<void> {
  while (socket.writable) {
    socket.write(text);
    await delay(50);
  }
}

function expectRefused({ answer, afterMs }: { answer: string; afterMs: number }, status: number): void {
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(answer.toLowerCase()).toContain("x-content-type-options: nosniff");
  expect(afterMs).toBeLessThan(LATEST_MS);
}

describe("a connection", () => {
  it.each([
    ["with endless headers", "GET / HTTP/1.1\r\nHost: localhost\r\n", "X-More: 1\r\n"],
    ["with an endless body", "POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n", "x"],
  ])("%s is closed", async (_what, begun, more) => {
    const slow = open(begun);
    void sendSlowly(slow, more);
    expectRefused(await slow.ended, 408);
  });

  it("that sends nothing is closed, and many of them do not block others", async () => {
    const idle = Array.from({ length: IDLE_CONNECTIONS }, () => open());
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
    const ends = await Promise.all(idle.map(({ ended }) => ended));
    expect(Math.max(...ends.map(({ afterMs }) => afterMs))).toBeLessThan(LATEST_MS);
  });
});

describe("a response by Node itself has the headers of every response", () => {
  const LONG = "x".repeat(100_000);

  it.each([
    ["no HTTP", "what is this\r\n\r\n", 400],
    ["no Host header", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["headers too long", `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${LONG}\r\n\r\n`, 431],
    ["an unknown expectation", "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n", 417],
  ])("%s", async (_, text, status) => {
    expectRefused(await open(text).ended, status);
  });
});

describe("an endpoint that closes", () => {
  const REQUEST = "GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n";
  const closeHeader = /^connection: close\r$/gim;

  /** An endpoint that responds to /slow and /refused on demand; `close` starts closing it. */
  async function openClosing(refuseWaiting = () => {}) {
    const app = new Hono();
    const answering = Promise.withResolvers<void>();
    const arrived: string[] = [];
    const closing = new Endpoint({ ...CONFIG, REQUEST_TIMEOUT_SECONDS: 60 });
    app.get("/slow", async ({ text }) => {
      arrived.push("/slow");
      await answering.promise;
      return text("late");
    });
    app.post("/body", async ({ req, text }) => text(await req.text()));
    app.post("/refused", async ({ text }) => {
      arrived.push("/refused");
      await answering.promise;
      return text("too large", 413);
    });
    app.get("/", ({ text }) => text(closing.isClosing ? "refused" : "here"));
    const to = Number(new URL(await closing.listen(app.fetch)).port);
    const untilArrived = (count: number) => expect.poll(() => arrived).toHaveLength(count);
    /** Starts closing. */
    const close = async () => {
      const closed = closing.close({ ...CLOSING, refuseWaiting });
      await expect.poll(() => closing.isClosing).toBe(true);
      return { closed };
    };
    return { to, close, untilArrived, answer: answering.resolve };
  }

  it("answers running requests, and closes each connection after its last response", async () => {
    const { to, close, untilArrived, answer } = await openClosing();
    const one = open(REQUEST, to);
    const pipelined = open(REQUEST + REQUEST, to);
    await untilArrived(3);
    const { closed } = await close();
    answer();
    const [first, row] = await Promise.all([one.ended, pipelined.ended, closed]);
    expect(first.answer.match(closeHeader)).toHaveLength(1);
    expect(row.answer.match(/late/g)).toHaveLength(2);
    expect(row.answer.match(closeHeader)).toHaveLength(1);
  });

  it("answers requests on open connections after reading their bodies, and closes idle connections", async () => {
    const { to, close } = await openClosing();
    const [silent, used, large] = [open("", to), open("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", to), open("", to)];
    await once(used.socket, "data");
    const { closed } = await close();
    used.socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    large.socket.write(
      `POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n${"x".repeat(4_000_000)}`,
    );
    large.socket.write("x".repeat(1_000_000));
    const [ends] = await Promise.all([Promise.all([used.ended, large.ended, silent.ended]), closed]);
    expect(ends[0].answer).toContain("refused");
    expect(ends[1].answer).toMatch(/^HTTP\/1.1 404 /);
    expect(ends[2]).toMatchObject({ answer: "" });
    // What hangs is given up after five seconds.
    expect(Math.max(...ends.map(({ afterMs }) => afterMs))).toBeLessThan(4_500);
    await expect(fetch(`http://127.0.0.1:${to}/`)).rejects.toThrow("fetch failed");
  });

  it("reads the body of a request that it refused earlier, so that the client receives the refusal", async () => {
    const { to, close, untilArrived, answer } = await openClosing();
    const refused = open("POST /refused HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n", to);
    await untilArrived(1);
    const { closed } = await close();
    answer();
    refused.socket.write("x".repeat(5_000_000));
    const [{ answer: received }] = await Promise.all([refused.ended, closed]);
    expect(received).toMatch(/^HTTP\/1.1 413 /);
  });

  it("answers requests with unfinished bodies and requests that hang within its time limits", async () => {
    const refuseWaiting = vi.fn();
    const { to, close, untilArrived } = await openClosing(refuseWaiting);
    const slow = open("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n", to);
    void sendSlowly(slow, "x");
    const hanging = open(REQUEST, to);
    await untilArrived(1);
    const began = performance.now();
    await (await close()).closed;
    expect(performance.now() - began).toBeLessThan(LATEST_MS);
    const [incomplete, hung] = await Promise.all([slow.ended, hanging.ended]);
    for (const { answer } of [incomplete, hung]) expect(answer).toMatch(/^HTTP\/1.1 503 .*unfinished$/s);
    expect(incomplete.afterMs).toBeLessThan(hung.afterMs);
    expect(refuseWaiting).toHaveBeenCalledTimes(1);
  });
});
