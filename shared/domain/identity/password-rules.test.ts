import { describe, expect, it } from "vitest";
import { requireGoodPassword, weaknessOf } from "./password-rules.ts";

const EMAIL = "ada@example.com";

describe("a password", () => {
  it.each([
    ["eleven characters", "hj3k-Wq9vLx", "takes 12 to 128"],
    ["eleven characters that are 22 units", "😀🐙🎈🚀🍉🌋🎻🧊🪁🧬🛶", "takes 12 to 128"],
    ["129 characters", `${"hj3kWq9vLx-".repeat(12)}`.slice(0, 129), "takes 12 to 128"],
    ["a common one", "1qaz2wsx3edc", "most common"],
    ["a common one in capitals", "1QAZ2WSX3EDC", "most common"],
    ["a common one in wide letters", "ａｄｍｉｎｉｓｔｒａｔｏｒ", "most common"],
    ["a common one with an ending", "Password123!", "most common"],
    ["a common one with a beginning", "2024!sunshine", "most common"],
    ["one character over and over", "aaaaaaaaaaaa", "over and over"],
    ["three characters over and over", "ab1ab1ab1ab1ab", "over and over"],
    ["the address", "Ada@Example.com", "e-mail address"],
    ["the address and more", "my ada@example.com!", "e-mail address"],
  ])("is refused that is %s", async (_what, password, problem) => {
    expect(await weaknessOf(password, EMAIL)).toContain(problem);
  });

  it.each([
    "correct horse battery staple",
    "hj3kWq9vLx-2",
    "          x1y2z3          ",
    "sunshine and dragons",
    "пароль длинный и странный",
    "aaaaaaaaaaab-cq8",
    "x".repeat(5) + "hj3kWq9vLx-2".repeat(2),
  ])("is accepted that is %j", async (password) => {
    expect(await weaknessOf(password, EMAIL)).toBeUndefined();
  });

  it("that is refused is named by its field", async () => {
    await expect(requireGoodPassword("short", EMAIL, "new_password")).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      details: { fields: [{ field: "new_password", problem: expect.stringContaining("12 to 128") }] },
    });
  });
});
