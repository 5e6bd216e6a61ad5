import fc from "fast-check";
import { expect, it } from "vitest";
import { AGENTS } from "../../clients/typescript/src/cli/agents/agents.ts";
import { changedText } from "../../clients/typescript/src/cli/agents/json-text.ts";

const ENTRY = { command: "/opt/node", args: ["/opt/cli.js", "mcp", "--user", "ada"] };

function editOf(agent: string, file: number) {
  return AGENTS[agent]?.[file]?.edit ?? expect.unreachable();
}

/** Files as people write them: on one line, with lists in a line, with other line ends, without one at the end. */
const WRITTEN: [agent: string, file: number, text: string, line: string][] = [
  ["claude-code", 0, '{\n\t"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"]}}\n}', '"files"]}'],
  ["claude-code", 1, '{\n  "hooks": {\n    "Stop": [{"hooks": [{"type": "command"}]}]\n  }\n}\n', '"Stop": [{"hooks"'],
  ["cursor", 0, '{"mcpServers": {"a": {"args": ["x", "y"]}}}', '"args": ["x", "y"]'],
  ["cursor", 1, '{"version": 1, "hooks": {"sessionStart": [{"command": "./a.sh"}]}}', '[{"command": "./a.sh"}'],
  [
    "opencode",
    0,
    '{\r\n  "theme": "dark",\r\n  "big": 12345678901234567890\r\n}\r\n',
    '"big": 12345678901234567890,\r\n',
  ],
  [
    "openclaw",
    0,
    '{ "gateway": { "port": 1 }, "hooks": {"internal": {"enabled": true}} }',
    '{ "gateway": { "port": 1 }',
  ],
];

it.each(WRITTEN)("keeps the form of what others wrote in a file of %s (%i)", (agent, file, text, line) => {
  const edit = editOf(agent, file);
  const installed = edit(text, ENTRY);
  expect(installed).toContain(line);
  expect(JSON.stringify(JSON.parse(installed))).toContain("/opt/node");
  expect(edit(installed, ENTRY)).toBe(installed);
  const moved = edit(installed, { ...ENTRY, command: "/usr/bin/node" });
  expect([moved.includes("/opt/node"), moved.includes(line)]).toEqual([false, true]);
  expect(edit(installed, undefined)).toBe(text);
  expect(edit(moved, undefined)).toBe(text);
});

it("writes a file anew in which keys occur twice", () => {
  const text = '{"a": 8, "c": 7, "b": 3, "c": 8}';
  const value = { a: { x: 1 }, b: 2 };
  expect(JSON.parse(changedText(text, value))).toEqual(value);
});

const values = fc.jsonValue({ maxDepth: 3 });
const objects = fc.dictionary(fc.string(), values, { maxKeys: 6 });

it("changes any value into any other, and leaves the file as it was if the entry is removed", () => {
  fc.assert(
    fc.property(objects, objects, fc.constantFrom(undefined, 1, 2, "\t", " \n "), (one, other, space) => {
      const text = JSON.stringify(one, null, space);
      expect(JSON.stringify(JSON.parse(changedText(text, other)))).toBe(JSON.stringify(other));
      const edit = editOf("claude-code", 0);
      if (!Object.hasOwn(one, "mcpServers") && Object.keys(one).length > 0) {
        expect(edit(edit(text, ENTRY), undefined)).toBe(text);
      }
    }),
  );
});
