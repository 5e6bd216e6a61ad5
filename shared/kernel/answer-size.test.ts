import { describe, expect, it } from "vitest";
import { fits, isTooLong, MAX_ANSWER_BYTES, tooLong } from "./answer-size.ts";

/** The response of a function contains the body as a JSON string. */
const bytesOf = (json: string) => Buffer.byteLength(JSON.stringify({ body: json }));

const enveloped = (data: unknown) =>
  JSON.stringify({ success: true, data, meta: { request_id: `req_${"0".repeat(26)}`, processing_time_ms: 12_345 } });

describe("a body that is too long", () => {
  it.each([
    ["plain letters", "x"],
    ["quotes", '"'],
    ["backslashes", "\\"],
    ["line ends", "\n"],
    ["characters of three bytes", "字"],
    ["characters of four bytes", "🍵"],
    ["lone surrogates", "\ud800"],
  ])("is measured exactly if it consists of %s", (_, character) => {
    const one = bytesOf(JSON.stringify(character)) - bytesOf(JSON.stringify(""));
    const most = Math.floor((MAX_ANSWER_BYTES - bytesOf(JSON.stringify("")) + bytesOf("") - 2) / one);
    const of = (count: number) => JSON.stringify(character.repeat(count));
    expect(isTooLong(of(most))).toBe(false);
    expect(isTooLong(of(most + 1))).toBe(true);
  });

  it("is exactly one that a function may not return", () => {
    const longest = JSON.stringify("x".repeat(MAX_ANSWER_BYTES - 6));
    expect(isTooLong(longest)).toBe(false);
    expect(bytesOf(longest)).toBeLessThan(6 * 1024 * 1024 - 100_000);
  });
});

describe("the error for a list that is too long", () => {
  const limitOf = (data: unknown) => tooLong(data, false).details.max_limit as number;
  const memories = (count: number, lengthOf: (place: number) => number, character = "x") =>
    Array.from({ length: count }, (_, place) => ({ id: `mem_${place}`, content: character.repeat(lengthOf(place)) }));

  it.each([
    ["alike", memories(100, () => 100_000)],
    ["quotes", memories(100, () => 100_000, '"')],
    ["characters of three bytes", memories(40, () => 100_000, "字")],
    ["longer and longer", memories(150, (place) => place * 1_000)],
    ["short, and many", memories(100_000, () => 40)],
  ])("states how many items fit: %s", (_, list) => {
    const data = (count: number) => ({
      memories: list.slice(0, count),
      pagination: { total: list.length, limit: count, offset: 0, has_next: true },
    });
    expect(isTooLong(enveloped(data(list.length)))).toBe(true);
    const most = limitOf(data(list.length));
    expect(isTooLong(enveloped(data(most)))).toBe(false);
    const next = bytesOf(JSON.stringify(list[most]));
    expect(bytesOf(enveloped(data(most))) + next).toBeGreaterThan(MAX_ANSWER_BYTES - 2_000 - 5 * most);
  });

  it("reserves space for the other fields", () => {
    const list = memories(100, () => 100_000);
    const [alone, beside] = [{ list }, { list, summary: "y".repeat(2_000_000) }];
    expect(limitOf(beside)).toBe(limitOf(alone) - 20);
    expect(isTooLong(enveloped({ ...beside, list: list.slice(0, limitOf(beside)) }))).toBe(false);
  });

  it("counts the list that is the longest, not the one with most items", () => {
    const data = { tags: Array.from({ length: 1_000 }, () => "tag"), results: memories(70, () => 100_000) };
    expect(tooLong(data, false).message).toContain("58 of its results fit");
  });

  it("counts a response that is itself a list", () => {
    expect(
      tooLong(
        memories(70, () => 100_000),
        false,
      ),
    ).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining("58 of its items fit"),
      details: { max_limit: 58 },
    });
  });

  it.each([
    ["there is none", { content: "x".repeat(6_000_000) }],
    ["not one item fits", { results: memories(2, () => 6_000_000) }],
    ["it is empty", { results: [], content: "x".repeat(6_000_000) }],
  ])("has no number if %s", (_, data) => {
    expect(tooLong(data, false)).toMatchObject({ message: expect.stringContaining("Request less"), details: {} });
    expect(tooLong(data, false).details).toEqual({});
  });

  it("states that a change was made", () => {
    const error = tooLong({ created: memories(100, () => 100_000) }, true);
    expect(error).toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      message: expect.stringContaining("The request succeeded"),
    });
    expect(error.details).toEqual({});
  });
});

it("quotes what leaves space for the other fields", () => {
  expect(fits(["x".repeat(5_400_000)])).toBe(true);
  expect(fits(["x".repeat(5_600_000)])).toBe(false);
  expect(fits(['"'.repeat(1_400_000)])).toBe(false);
});
