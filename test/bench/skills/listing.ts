import { insertSkill } from "../../../shared/domain/agents/skills/records.ts";
import type { Skill } from "../../../shared/domain/agents/skills/skill.ts";
import { createOrganization, type LocalService, openService } from "../../support/service.ts";
import { Generator } from "../corpus.ts";
import { type Figure, ratio } from "../report.ts";
import { sized } from "../sizes.ts";
import { timeTogether } from "../timing.ts";

const FEW = 100;
const MANY = sized(10_000, 1000);
const LIMIT = 20;
const RUNS = sized(400, 50);
const MAX_RATIO = 1.5;
const DEFAULT_SORT = "usage_count desc";
/** Distributes uses over the skills in an order unrelated to their creation. */
const STRIDE = 7919;

/**
 * Measures listing skills, most used first, in an organization of many relative to one of few; both through the whole
 * pipeline.
 */
export async function measureListing(): Promise<Figure[]> {
  const service = await openService();
  const [few, many] = [await createSkills(service, FEW), await createSkills(service, MANY)];
  const figures: Figure[] = [];
  for (const sort of [DEFAULT_SORT, "created_at desc", "updated_at desc", "name asc"]) {
    const query = `limit=${LIMIT}&sort=${encodeURIComponent(sort)}`;
    const times = await timeTogether(RUNS, {
      few: () => list(service, few, query),
      many: () => list(service, many, query),
    });
    const limit = sort === DEFAULT_SORT ? { atMost: MAX_RATIO } : undefined;
    const what = `GET /skills, ${LIMIT} of ${MANY}, sort=${sort}`;
    figures.push(ratio(what, `${LIMIT} of ${FEW}`, [times.many, times.few], limit && { limit }));
  }
  await service.close();
  return figures;
}

/** Creates an organization with `count` skills and returns its key. */
async function createSkills({ runtime }: LocalService, count: number): Promise<string> {
  const { org, key } = await createOrganization({ runtime });
  const text = new Generator(count);
  for (let place = 0; place < count; place++) {
    await runtime.ports.records.write(...insertSkill(skillOf(org, place, (place * STRIDE) % count, text.memory())));
  }
  return key;
}

function skillOf(org: string, place: number, usage_count: number, trigger: string): Skill {
  const number = String(place).padStart(8, "0");
  const at = new Date(Date.UTC(2024, 0, 1) + place * 60_000).toISOString();
  return {
    id: `skill_${number}`,
    org,
    name: `skill ${number}`,
    trigger,
    action: "Do it.",
    domain: "bench",
    confidence: 0.5,
    stated_confidence: 0.5,
    outcomes: 0,
    successes: 0,
    tags: ["bench"],
    examples: [],
    metadata: {},
    usage_count,
    verified: false,
    human_reviewed: false,
    version: 1,
    created_at: at,
    updated_at: at,
    created_by: "bench",
  };
}

async function list(service: LocalService, key: string, query: string): Promise<void> {
  const { status, body } = await service.request("GET", `/skills?${query}`, { key });
  if (status !== 200 || body.data.skills.length !== LIMIT) throw new Error(JSON.stringify(body));
}
