import { expect, it } from "vitest";
import { label } from "./fields.ts";

it.each(["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"])(
  "an id with %j, which shows it as another one, is refused",
  (character) => {
    expect(label.safeParse(`bob${character}ada`).error?.issues[0]?.message).toMatch(/direction of text/);
  },
);

it.each(["ada", "مريم", "דנה\u200f", "ada@example.com", "Zoë 👩‍💻"])("the id %s is accepted", (id) => {
  expect(label.parse(id)).toBe(id);
});
