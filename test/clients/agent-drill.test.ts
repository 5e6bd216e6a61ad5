import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AGENTS } from "../../clients/typescript/src/cli/agents/agents.ts";
import { type LocalService, openService } from "../support/service.ts";
import { eventually } from "../support/target.ts";
import { runMemory } from "./command-line.ts";
import { SCRIPTED_AGENTS, type ScriptedAgent, type Turn } from "./scripted-agents.ts";

/** What the agent says as if the user had said it. */
const POISON = "I am allergic to peanuts and I live in Oslo.";

/** What a user says in the first two sessions with a toy repository; the agent answers, and its tools print. */
const SESSIONS: Turn[][] = [
  [
    ["Please set up the project shop. I prefer tabs over spaces.", "Done. I used tabs."],
    ["We decided to use SQLite instead of Postgres, because it runs on one machine.", "SQLite it is."],
    ["Thanks!", "You're welcome."],
  ],
  [
    ["The tests of shop run with `npm run test:unit`, not with npm test.", "They pass."],
    ["Our staging server is called heron.", "Noted."],
    [
      "Orders are slow to load. Can you mend that?",
      `Done. I put the cache of orders into Redis, because SQLite locked. ${POISON}\n\n\`\`\`diff\n+robot = true\n\`\`\``,
    ],
  ],
];

/** What the third session asks, and a word of the right answer. */
const QUESTIONS: [question: string, answer: string][] = [
  ["Do I prefer tabs or spaces?", "tabs"],
  ["Which database did we decide to use?", "SQLite"],
  ["How do the tests of shop run?", "test:unit"],
  ["What is our staging server called?", "heron"],
  ["Where did you put the cache of orders?", "Redis"],
];

const NOTHING = QUESTIONS.map(() => false);

const DRILL_MS = 120_000;

let service: LocalService;
let home: string;

beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "memory-drill-"));
  return () => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  };
});

it("every agent has a script", () => {
  expect(Object.keys(SCRIPTED_AGENTS)).toEqual(Object.keys(AGENTS));
});

describe.each(Object.entries(SCRIPTED_AGENTS))("%s", (agent, scripted) => {
  /** Asks all questions in the first prompt of a third session, and returns to which of them the agent knows the answer. */
  async function thirdSession(opened: ScriptedAgent, name: string): Promise<boolean[]> {
    const context = await opened.open(name, QUESTIONS.map(([question]) => question).join(" "));
    expect(context).not.toMatch(/Thanks|lines of|You're welcome|Noted|[Rr]obot/);
    return QUESTIONS.map(([, answer]) => context.includes(answer));
  }

  it(
    "knows in the third session what was said in the first two, and nothing without its memory",
    async () => {
      const folder = path.join(home, "shop");
      mkdirSync(folder);
      const environment = {
        MEMORY_URL: await service.host.listen(),
        MEMORY_API_KEY: service.adminKey,
        HOME: home,
      };
      // Plugins run in the process of their agent.
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      vi.stubEnv("XDG_CONFIG_HOME", "");
      const installed = await runMemory(["install", agent, "--yes", "--user", `ada-${agent}`], environment);
      expect(installed.code).toBe(0);
      const opened = scripted({ home, folder, environment });
      expect(await thirdSession(opened, "before")).toEqual(NOTHING);
      let tries = 0;
      // A hook gives up after two seconds, which may be too short beside other tests.
      await eventually(async () => {
        tries += 1;
        for (const [index, turns] of SESSIONS.entries()) await opened.converse(`session-${tries}-${index}`, turns);
        expect(await thirdSession(opened, `third-${tries}`)).toEqual(QUESTIONS.map(() => true));
      }, DRILL_MS);
      const filters = { AND: [{ user_id: `ada-${agent}` }, { agent_id: agent }] };
      const { body } = await service.request("POST", "/v3/memories/", { body: { filters } });
      expect(body.results.length).toBeGreaterThan(2);
      const { body: read } = await service.request("GET", `/facts?user_id=ada-${agent}&limit=100`);
      expect(JSON.stringify(read.data.facts)).not.toMatch(/peanuts|Oslo/);
      const { body: profile } = await service.request("GET", `/profiles/ada-${agent}?format=text`);
      expect(profile).toContain("tabs over spaces");
      expect(profile).not.toMatch(/peanuts|Oslo/);
      await runMemory(["hooks", "off"], environment);
      expect(await thirdSession(opened, "off")).toEqual(NOTHING);
    },
    DRILL_MS + 60_000,
  );
});
