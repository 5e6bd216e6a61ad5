import { expect, it } from "vitest";
import * as z from "zod";
import { contentTagOf, isKnown, sendsContentTag } from "./content-tag.ts";

it("names a content by its digest, which an equal one shares", () => {
  expect(contentTagOf("[1]")).toBe(contentTagOf(Buffer.from("[1]")));
  expect(contentTagOf("[1]")).not.toBe(contentTagOf("[2]"));
});

it.each([
  ["the same", '"a"', '"a"', true],
  ["a weak one", 'W/"a"', '"a"', true],
  ["one of several", '"a"', '"b", W/"a"', true],
  ["another", '"a"', '"b"', false],
  ["no header", '"a"', undefined, false],
  ["an empty header", '"a"', "", false],
])("knows %s", (_, etag, sent, expected) => {
  expect(isKnown(etag, sent)).toBe(expected);
});

it("is for JSON that a credential reads, and not for versions, secrets, changes and files", () => {
  const route = { method: "get", answer: z.object({}), permission: "any" } as const;
  expect(sendsContentTag(route)).toBe(true);
  expect(sendsContentTag({ ...route, method: "post" })).toBe(false);
  expect(sendsContentTag({ ...route, answer: "raw" })).toBe(false);
  expect(sendsContentTag({ ...route, versioned: true })).toBe(false);
  expect(sendsContentTag({ ...route, secret: true })).toBe(false);
  expect(sendsContentTag({ method: "get", answer: route.answer })).toBe(false);
});
