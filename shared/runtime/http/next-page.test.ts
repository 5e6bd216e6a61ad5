import { expect, it } from "vitest";
import { linkToNext } from "./next-page.ts";

const pagination = (offset: number, has_next: boolean) => ({ pagination: { total: 90, limit: 20, offset, has_next } });

it("links to the next page with the same filters", () => {
  const url = "http://host/memories?user_id=a%26b&limit=20&offset=20";
  expect(linkToNext(url, pagination(20, true))).toBe('</memories?user_id=a%26b&limit=20&offset=40>; rel="next"');
  expect(linkToNext("http://host/memories", pagination(0, true))).toBe('</memories?limit=20&offset=20>; rel="next"');
});

it("links to nothing after the last page, or from what is no list", () => {
  expect(linkToNext("http://host/memories", pagination(80, false))).toBeUndefined();
  for (const data of [null, "x", 1, {}, { pagination: undefined }])
    expect(linkToNext("http://host/a", data)).toBeUndefined();
});
