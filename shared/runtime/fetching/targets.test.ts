import { describe, expect, it } from "vitest";
import { checkTarget, resolveTarget } from "./targets.ts";

const STRICT = { ALLOW_PRIVATE_TARGETS: false };
const OPEN = { ALLOW_PRIVATE_TARGETS: true };
const refused = { code: "URL_NOT_ALLOWED" };

const PUBLIC = ["93.184.215.14", "2606:4700::1111"].map((address) => ({
  address,
  family: address.includes(":") ? 6 : 4,
}));

describe("a URL with a public host", () => {
  it.each([
    "http://93.184.215.14/",
    "https://[2606:4700::1111]/",
    "https://hooks.example:1024/",
    "http://a.example:443/",
  ])("is a target: %s", (url) => expect(checkTarget(url, STRICT).href).toBe(url));

  it("resolves to the addresses of its name, or to itself", async () => {
    const named = await resolveTarget(new URL("http://public.example/"), STRICT, async () => PUBLIC);
    expect(named).toEqual(PUBLIC);
    for (const expected of PUBLIC) {
      const host = expected.family === 6 ? `[${expected.address}]` : expected.address;
      expect(await resolveTarget(new URL(`http://${host}/`), STRICT)).toEqual([expected]);
    }
  });
});

describe("a URL without a public host", () => {
  it.each(["http://localhost/", "http://a.localhost./", "http://10.0.0.1/", "http://[::1]/"])(
    "is a target only if private ones are allowed: %s",
    (url) => {
      expect(() => checkTarget(url, STRICT)).toThrow(expect.objectContaining(refused));
      expect(checkTarget(url, OPEN).href).toBe(url);
    },
  );
});

it("refuses names of the local host without asking DNS", async () => {
  const unknown = new URL("http://nobody.localhost/");
  await expect(resolveTarget(unknown, STRICT)).rejects.toMatchObject(refused);
});

it.each(["https://:secret@a.example/", "https://user@a.example/", "ftp://a.example/", "https://a.example:1023/"])(
  "refuses the form of a URL: %s",
  (url) => {
    const details = { reason: expect.any(String) };
    expect(() => checkTarget(url, STRICT)).toThrow(expect.objectContaining({ ...refused, details }));
  },
);
