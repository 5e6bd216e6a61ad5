import fc from "fast-check";
import { expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { attachment, plainFileName } from "./file-name.ts";

it.each([
  ["Tea with Ada", "Tea-with-Ada.pdf", "Tea%20with%20Ada.pdf"],
  ["Café (été)", "Cafe-ete.pdf", "Caf%C3%A9%20%28%C3%A9t%C3%A9%29.pdf"],
  ["你好", "sess_1.pdf", "%E4%BD%A0%E5%A5%BD.pdf"],
  ["../../etc/passwd", "etc-passwd.pdf", "etc%20passwd.pdf"],
  ['a"; filename="b', "a-filename-b.pdf", "a%20%3B%20filename%3D%20b.pdf"],
  ["line\r\nX-Injected: 1", "line-X-Injected-1.pdf", "line%20X-Injected%201.pdf"],
  [" . ", "sess_1.pdf", "sess_1.pdf"],
])("names a file for %j", (title, plain, encoded) => {
  expect(plainFileName(title, "sess_1", "pdf")).toBe(plain);
  expect(attachment(title, "sess_1", "pdf")).toContain(`filename="${plain}"`);
  expect(attachment(title, "sess_1", "pdf")).toContain(`filename*=UTF-8''${encoded}`);
});

it("is a single well-formed header for any title", () => {
  const whole =
    /^attachment; filename="[A-Za-z0-9_][A-Za-z0-9._-]*\.md"; filename\*=UTF-8''(?:[A-Za-z0-9!.~_-]|%[0-9A-F]{2})+\.md$/;
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (title) => {
      const header = attachment(title, "sess_1", "md");
      expect(header).toMatch(whole);
      expect(header.length).toBeLessThan(2000);
      expect(decodeURIComponent(header.split("''")[1] ?? "")).not.toMatch(/[/\\\r\n]/);
    }),
  );
});
