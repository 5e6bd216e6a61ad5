import type { RequestListener } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { type FetchOptions, fetchPublic } from "./fetch-public.ts";
import { carry } from "./secret-destinations.ts";
import type { Resolve } from "./targets.ts";

const STRICT = { config: { ALLOW_PRIVATE_TARGETS: false } };
const OPEN = { config: { ALLOW_PRIVATE_TARGETS: true } };
const MEGABYTE = 1024 * 1024;

/** Starts an HTTP server for this test only; returns its base URL and the requests that it received. */
async function serve(answer: RequestListener): Promise<{ base: string; port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = await listenOnLoopback((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  onTestFinished(() => server.close());
  return { base: server.url, port: Number(new URL(server.url).port), seen };
}

/** Starts a server that redirects every request. */
const redirecting = (location: string, status = 302) =>
  serve((_request, response) => response.writeHead(status, { location }).end());

const fetchOpen = (url: string, options?: FetchOptions) => fetchPublic(OPEN, url, options);
const textOf = async (url: string, options?: FetchOptions) => (await fetchOpen(url, options)).text();
const refused = { code: "URL_NOT_ALLOWED" };
const failed = { code: "FETCH_FAILED" };

/** URLs without their scheme, separated by blanks. */
const urls = (list: string) => list.split(" ").map((each) => `http://${each}`);

const NOT_PUBLIC = [
  // The usual notation, range by range.
  ...urls("127.0.0.1/ 127.255.255.254/ 0.0.0.0/ 0.1.2.3/ 10.0.0.1/ 10.255.255.255/ 172.16.0.1/ 172.31.255.255/"),
  ...urls("192.168.0.1/ 100.64.0.1/ 100.127.255.255/ 100.100.100.200/latest/meta-data/"),
  ...urls("169.254.169.254/latest/meta-data/ 169.254.170.2/v2/credentials 168.63.129.16/machine 192.0.0.1/"),
  ...urls("192.0.0.192/opc/v2/ 192.0.2.1/ 198.51.100.1/ 203.0.113.1/ 192.88.99.1/ 198.18.0.1/ 198.19.255.255/"),
  ...urls("224.0.0.1/ 239.255.255.255/ 240.0.0.1/ 255.255.255.255/"),
  // Other notations of 127.0.0.1, 169.254.169.254 and 10.0.0.1.
  ...urls("2130706433/ 2852039166/ 0x7f000001/ 0x7f.0.0.1/ 0x7f.1/ 0x7F.0x0.0x0.0x1/ 0xa9fea9fe/"),
  ...urls("0xa9.254.0251.0xfe/ 017700000001/ 0177.0.0.1/ 0177.0.0.01/ 0000177.0.0.1/ 0251.0376.0251.0376/"),
  ...urls(
    "012.0.0.1/ 127.1/ 127.0.1/ 10.1/ 0/ 127.0.0.1./ 0x7f.1./ ①②⑦.⓪.⓪.①/ １２７.０.０.１/ 127。0。0。1/ 127．0．0．1/",
  ),
  ...urls("%31%32%37.0.0.1/ 127.0.0.%31/ 127.0.0.1:8080/ soft­hyphen@127.0.0.1/"),
  "http:127.0.0.1/",
  "http:\\\\127.0.0.1\\",
  " http://127.0.0.1/",
  "HTTP://127.0.0.1/",
  "http://1\t27.0.0.1/",
  // IPv6: its own special ranges, and those that embed IPv4.
  ...urls("[::1]/ [0:0:0:0:0:0:0:1]/ [0000:0000:0000:0000:0000:0000:0000:0001]/ [::]/ [::ffff:127.0.0.1]/"),
  ...urls("[::ffff:7f00:1]/ [0:0:0:0:0:ffff:a9fe:a9fe]/ [::ffff:8.8.8.8]/ [::127.0.0.1]/ [::7f00:1]/"),
  ...urls("[64:ff9b::127.0.0.1]/ [64:ff9b::a9fe:a9fe]/ [64:ff9b:1::7f00:1]/ [2002:7f00:1::]/ [2002:a9fe:a9fe::1]/"),
  ...urls("[2001:0:53aa:64c:0:fbff:80ff:fffe]/ [2001::1]/ [fe80::1]/ [febf::1]/ [fe80::1%25eth0]/ [fe80::1%eth0]/"),
  ...urls("[fc00::1]/ [fd00:ec2::254]/ [fec0::1]/ [ff02::1]/ [ff0e::1]/ [2001:db8::1]/ [3fff::1]/ [2001:2::1]/"),
  ...urls("[2001:10::1]/ [2001:20::1]/ [100::1]/ [5f00::1]/ [4000::1]/"),
];

const NOT_FETCHED = [
  ..."ftp://example.com/ file:///etc/passwd gopher://example.com/ data:text/plain,hello".split(" "),
  ..."javascript:alert(1) blob:http://example.com/1 http://user:secret@example.com/".split(" "),
  ..."http://user@example.com/ http://example.com:22/ http://example.com:25/ http://example.com:70000/".split(" "),
  ..."http://[::1/ http://256.256.256.256/ http://0x7f.0.0.0.1.1/ //example.com/ /etc/passwd example.com".split(" "),
  "http://",
  "",
];

describe("a URL without a public address", () => {
  it("is detected in at least 60 notations", () => expect(new Set(NOT_PUBLIC).size).toBeGreaterThanOrEqual(60));

  it.each([...NOT_PUBLIC, ...NOT_FETCHED])("is refused: %s", async (url) => {
    const resolve: Resolve = () => Promise.reject(new Error("an address needs no lookup"));
    await expect(fetchPublic(STRICT, url, { resolve })).rejects.toMatchObject(refused);
  });

  it.each(NOT_PUBLIC.filter((url) => URL.canParse(url)))("is refused as the address of a name: %s", async (url) => {
    const address = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
    const resolve: Resolve = async () => [{ address, family: address.includes(":") ? 6 : 4 }];
    await expect(fetchPublic(STRICT, "http://innocent.example/", { resolve })).rejects.toMatchObject(refused);
  });

  it.each(["localhost", "localhost.", "LOCALHOST", "ip6-localhost", "metadata.google.internal"])(
    "is refused by the name %s",
    async (name) => {
      const resolve: Resolve = async () => [{ address: "127.0.0.1", family: 4 }];
      await expect(fetchPublic(STRICT, `http://${name}/`, { resolve })).rejects.toMatchObject(refused);
    },
  );

  it("is refused if one of a name's addresses is private, or there is none", async () => {
    for (const addresses of [["93.184.215.14", "10.0.0.1"], []]) {
      const resolve: Resolve = async () => addresses.map((address) => ({ address, family: 4 }));
      await expect(fetchPublic(STRICT, "http://mixed.example/", { resolve })).rejects.toMatchObject(refused);
    }
  });

  it("does not reveal what a name resolves to", async () => {
    const resolve: Resolve = async () => [{ address: "10.9.8.7", family: 4 }];
    const error = await fetchPublic(STRICT, "http://inside.example/", { resolve }).catch((thrown) => thrown);
    expect(error).toMatchObject(refused);
    expect(JSON.stringify([error.message, error.details])).not.toContain("10.9.8.7");
  });
});

describe("a name", () => {
  it("is resolved once, and only the checked address is connected to", async () => {
    const { port, seen } = await serve((_request, response) => response.end("reached"));
    const answers = [{ address: "127.0.0.1", family: 4 }];
    let lookups = 0;
    const resolve: Resolve = async () => {
      lookups++;
      return answers;
    };
    expect(await textOf(`http://rebinding.example:${port}/`, { resolve })).toBe("reached");
    expect([lookups, seen.length]).toEqual([1, 1]);
  });

  it("that becomes private between two requests is refused at the second", async () => {
    const { port } = await serve((_request, response) => {
      response.writeHead(302, { location: `http://rebinding.example:${port}/again` }).end();
    });
    const answers = ["127.0.0.1"];
    const resolve: Resolve = async () => {
      const address = answers.shift();
      if (address === undefined) throw Object.assign(new Error("gone"), { code: "ENOTFOUND" });
      return [{ address, family: 4 }];
    };
    await expect(fetchOpen(`http://rebinding.example:${port}/`, { resolve })).rejects.toMatchObject({
      ...failed,
      details: { reason: "its name has no address" },
    });
  });

  it("whose lookup never ends times out", async () => {
    const resolve: Resolve = () => new Promise(() => {});
    const startedAt = performance.now();
    await expect(fetchPublic(STRICT, "http://slow.example/", { resolve, timeoutMs: 50 })).rejects.toMatchObject(failed);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

/** Allows requests to the test's server for the first URL and checks every other URL as in production. */
function guardedAfterFirst(): { config: { ALLOW_PRIVATE_TARGETS: boolean } } {
  let reads = 0;
  return {
    config: {
      get ALLOW_PRIVATE_TARGETS() {
        return reads++ < 2;
      },
    },
  };
}

describe("a redirect", () => {
  it.each([...NOT_PUBLIC.filter((url) => /^https?:\/\/\S+$/.test(url)), "file:///etc/passwd", "ftp://example.com/"])(
    "to %s is refused",
    async (location) => {
      const { base, seen } = await redirecting(encodeURI(location).replaceAll("%25", "%"));
      await expect(fetchPublic(guardedAfterFirst(), base)).rejects.toMatchObject(refused);
      expect(seen).toEqual(["GET /"]);
    },
  );

  it("is followed at most three times, and the last URL is returned", async () => {
    const { base, seen } = await serve(({ url = "" }, response) => {
      const step = Number(url.slice(1));
      if (step === 3) response.end("there");
      else response.writeHead(301, { location: `/${step + 1}` }).end();
    });
    const response = await fetchOpen(`${base}/0`);
    expect([response.url, await response.text()]).toEqual([`${base}/3`, "there"]);
    expect(seen).toHaveLength(4);
    await expect(fetchOpen(`${base}/-1`)).rejects.toMatchObject(failed);
  });

  it("is returned if redirects are not followed", async () => {
    const { base, seen } = await redirecting("http://127.0.0.1:1/");
    expect((await fetchOpen(base, { maxRedirects: 0 })).status).toBe(302);
    expect(seen).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308].flatMap((status) => ["GET", "POST"].map((method) => ({ status, method }))))(
    "of status $status sends nothing of a $method to another origin",
    async ({ status, method }) => {
      const seen: { method?: string; headers: object; body: string }[] = [];
      const other = await serve((request, response) => {
        const { headers } = request;
        request.setEncoding("utf8").on("data", (body) => seen.push({ headers, body }));
        seen.push({ method: request.method ?? "", headers, body: "" });
        response.end();
      });
      const { base } = await redirecting(other.base, status);
      const declared = { Authorization: "Bearer secret", Cookie: "secret", "X-Own": "secret" };
      const secrets = [carry("webhook_secret", { url: base }, declared)];
      const body = method === "POST" ? { body: "secret" } : {};
      const headers = { "X-Plain": "secret", Accept: "text/html" };
      const answer = fetchOpen(base, { method, headers, secrets, ...body });
      const isRefused = method === "POST" && status >= 307;
      if (isRefused) await expect(answer).rejects.toMatchObject(refused);
      else await answer;
      expect(JSON.stringify(seen)).not.toContain("secret");
      expect(seen.map((each) => each.method)).toEqual(isRefused ? [] : ["GET"]);
      for (const { headers: got } of seen) expect(got).toMatchObject({ accept: "text/html" });
    },
  );

  it("back to the first origin no longer has the secret", async () => {
    const got: unknown[] = [];
    const first = await serve((request, response) => {
      got.push(request.headers.authorization);
      if (request.url === "/") response.writeHead(302, { location: between.base }).end();
      else response.end();
    });
    const between = await redirecting(`${first.base}/again`);
    const secrets = [carry("webhook_secret", { url: first.base }, { authorization: "Bearer secret" })];
    await fetchOpen(first.base, { secrets });
    expect(got).toEqual(["Bearer secret", undefined]);
  });

  it("of status 307 repeats method and body", async () => {
    const { base } = await serve((request, response) => {
      if (request.url === "/") response.writeHead(307, { location: "/next" }).end();
      else request.pipe(response.setHeader("x-method", request.method ?? ""));
    });
    const response = await fetchOpen(base, { method: "POST", body: "twice" });
    expect([response.headers.get("x-method"), await response.text()]).toEqual(["POST", "twice"]);
  });
});

describe("a secret", () => {
  it("is sent only to the origins of its kind", async () => {
    const { base, seen } = await serve((_request, response) => response.end());
    for (const url of ["https://hooks.example.com", base.replace("127.0.0.1", "localhost"), "http://127.0.0.1:1"]) {
      const secrets = [carry("webhook_secret", { url }, { authorization: "Bearer secret" })];
      await expect(fetchOpen(base, { secrets })).rejects.toMatchObject(refused);
    }
    expect(seen).toEqual([]);
  });

  it.each(["Authorization", "cookie", "Proxy-Authorization", "X-API-Key", "x-amz-security-token"])(
    "that is not declared is not sent: %s",
    async (name) => {
      const { base, seen } = await serve((_request, response) => response.end());
      await expect(fetchOpen(base, { headers: { [name]: "secret" } })).rejects.toThrow("declare it");
      expect(seen).toEqual([]);
    },
  );
});

describe("a body", () => {
  /** Compresses fast, because bombs are large. */
  const CODINGS = [
    ["gzip", (body: string | Buffer) => gzipSync(body, { level: 1 })],
    ["deflate", (body: string | Buffer) => deflateSync(body, { level: 1 })],
    ["br", (body: string | Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ] as const;

  it.each(CODINGS)("in %s is decompressed", async (coding, compress) => {
    const { base } = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toContain(coding);
      response.writeHead(200, { "content-encoding": coding }).end(compress("plain text"));
    });
    expect(await textOf(base)).toBe("plain text");
  });

  it.each(CODINGS)("that is a %s bomb is aborted at the limit", async (coding, compress) => {
    const bomb = compress(Buffer.alloc(200 * MEGABYTE));
    const { base } = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": coding }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    await expect(textOf(base)).rejects.toMatchObject(failed);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEGABYTE);
  });

  it("of five megabytes is read, one byte more is refused", async () => {
    const { base } = await serve(({ url = "" }, response) => response.end(Buffer.alloc(Number(url.slice(1)))));
    expect(await textOf(`${base}/${5 * MEGABYTE}`)).toHaveLength(5 * MEGABYTE);
    await expect(textOf(`${base}/${5 * MEGABYTE + 1}`)).rejects.toMatchObject(failed);
  });

  it("without an end is aborted at the limit", async () => {
    const { base } = await serve((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on("drain", more);
      more();
    });
    await expect(textOf(base)).rejects.toMatchObject({ details: { reason: expect.stringContaining("longer than") } });
  });

  it("that arrives too slowly times out, as do headers that never come", async () => {
    const { base } = await serve(({ url }, response) => {
      if (url === "/silent") return;
      const dripping = setInterval(() => response.write("."), 10);
      response.on("close", () => clearInterval(dripping));
    });
    for (const path of ["/dripping", "/silent"]) {
      const startedAt = performance.now();
      const reading = textOf(base + path, { timeoutMs: 150 });
      await expect(reading).rejects.toMatchObject({ ...failed, details: { reason: "it took too long" } });
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });

  it("that is cancelled unread releases its connection", async () => {
    const ended = Promise.withResolvers<void>();
    const { base } = await serve((_request, response) => {
      response.on("close", ended.resolve);
      response.write("half");
    });
    const response = await fetchOpen(base);
    await response.body?.cancel();
    await ended.promise;
  });

  it("that nobody reads causes no error", async () => {
    const { base } = await serve((_request, response) => void response.write("half"));
    const response = await fetchOpen(base, { timeoutMs: 300 });
    await delay(350);
    expect(response.status).toBe(200);
  });

  it.each([
    ["is not what its coding says", { "content-encoding": "gzip" }, Buffer.from("not gzip at all")],
    ["ends within its coding", { "content-encoding": "gzip" }, gzipSync("x".repeat(5000)).subarray(0, 20)],
    ["is in an unknown coding", { "content-encoding": "zstd" }, Buffer.from("x")],
    ["is in a coding named like a member of objects", { "content-encoding": "constructor" }, Buffer.from("x")],
    ["is coded twice", { "content-encoding": "gzip, gzip" }, gzipSync(gzipSync("x"))],
  ])("that %s is an error with that reason", async (_what, headers, body) => {
    const { base } = await serve((_request, response) => response.writeHead(200, headers).end(body));
    await expect(fetchOpen(base).then((response) => response.text())).rejects.toMatchObject(failed);
  });

  it("that ends early is an error", async () => {
    const { base } = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    await expect(textOf(base)).rejects.toMatchObject(failed);
  });
});

describe("an answer", () => {
  it("with endless headers is refused", async () => {
    const { base } = await serve((_request, response) => {
      response.writeHead(200, { "x-long": "x".repeat(40_000) }).end();
    });
    await expect(fetchOpen(base)).rejects.toMatchObject(failed);
  });

  it("of any usual status has its headers", async () => {
    const { base } = await serve((_request, response) => {
      response.writeHead(404, { "x-one": "1", "set-cookie": ["a=1", "b=2"] }).end("missing");
    });
    const response = await fetchOpen(base);
    expect([response.status, response.ok, response.headers.get("x-one")]).toEqual([404, false, "1"]);
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(await response.text()).toBe("missing");
  });

  it("without a body has none, and one of no usual status is an error", async () => {
    const { base } = await serve(({ url = "" }, response) => response.writeHead(Number(url.slice(1))).end());
    expect(await (await fetchOpen(`${base}/204`)).text()).toBe("");
    await expect(fetchOpen(`${base}/999`)).rejects.toMatchObject(failed);
  });

  it("from an unreachable host is an error", async () => {
    await expect(fetchOpen("http://127.0.0.1:1/")).rejects.toMatchObject(failed);
  });

  it("is cancelled with the caller's signal", async () => {
    const { base } = await serve(() => {});
    const signal = AbortSignal.timeout(30);
    await expect(fetchOpen(base, { signal })).rejects.toMatchObject(failed);
  });
});
