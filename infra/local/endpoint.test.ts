import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Endpoint } from "./endpoint.ts";

const TIMEOUT_SECONDS = 1;
const IDLE_CONNECTIONS = 200;
/** A request is looked at ten times within its time. */
const LATEST_MS = TIMEOUT_SECONDS * 1000 * 1.5;

const endpoint = new Endpoint({
  HOST: "127.0.0.1",
  PORT: 0,
  PLATFORM: "local",
  REQUEST_TIMEOUT_SECONDS: TIMEOUT_SECONDS,
});
let port: number;

beforeAll(async () => {
  const app = new Hono();
  app.post("/body", async ({ req, text }) => text(await req.text()));
  app.get("/", ({ text }) => text("here"));
  app.onError(({ message }, { text }) => text(message, 500));
  port = Number(new URL(await endpoint.listen(app.fetch)).port);
});
afterAll(() => endpoint.close());

interface Conversation {
  socket: Socket;
  /** All that was answered until the connection ended, and after how long. */
  ended: Promise<{ answer: string; afterMs: number }>;
}

function open(text = ""): Conversation {
  const beganAt = performance.now();
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  let answer = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    answer += part;
  });
  if (text !== "") socket.write(text);
  const ended = once(socket, "close").then(() => ({ answer, afterMs: performance.now() - beganAt }));
  return { socket, ended };
}

/** Sends a little again and again, as long as it is taken. */
async function drip({ socket }: Conversation, text: string): Promise<void> {
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
  it("is ended whose headers never end", async () => {
    const slow = open("GET / HTTP/1.1\r\nHost: localhost\r\n");
    void drip(slow, "X-More: 1\r\n");
    expectRefused(await slow.ended, 408);
  });

  it("is ended whose body never ends", async () => {
    const slow = open("POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n");
    void drip(slow, "x");
    expectRefused(await slow.ended, 408);
  });

  it("is ended that sends nothing, and many of them keep nobody out", async () => {
    const idle = Array.from({ length: IDLE_CONNECTIONS }, () => open());
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("here");
    const ends = await Promise.all(idle.map(({ ended }) => ended));
    expect(Math.max(...ends.map(({ afterMs }) => afterMs))).toBeLessThan(2 * LATEST_MS);
  });
});

describe("what Node itself answers has the headers of every answer", () => {
  const LONG = "x".repeat(100_000);

  it.each([
    ["no HTTP at all", "what is this\r\n\r\n", 400],
    ["no Host header", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["headers too long", `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${LONG}\r\n\r\n`, 431],
    ["an unknown expectation", "GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n", 417],
  ])("%s", async (_, text, status) => {
    expectRefused(await open(text).ended, status);
  });
});
