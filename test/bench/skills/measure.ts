import { setTimeout as sleep } from "node:timers/promises";
import { findCandidates } from "../../../shared/domain/agents/skills/finding.ts";
import { findHits } from "../../../shared/domain/retrieval/retrieve.ts";
import { Query } from "../../../shared/language/questions/query.ts";
import { skillsPartition } from "../../../shared/ports/partitions.ts";
import { createOrganization, type LocalService, openService } from "../../support/service.ts";
import { PARAPHRASES, type Paraphrase, SKILLS, UNRELATED } from "./finding-cases.ts";

/** A request, the matching skill, and the candidates that the index found. */
export interface Observed {
  request: string;
  skill: string | undefined;
  candidates: { name: string; meaning: number; keywordScore: number }[];
}

/** Returns one half of the cases: every other request. */
export function halfOf(place: 0 | 1): { paraphrases: Paraphrase[]; unrelated: string[] } {
  const isIn = (_: unknown, index: number) => index % 2 === place;
  return { paraphrases: PARAPHRASES.filter(isIn), unrelated: UNRELATED.filter(isIn) };
}

export interface StoredSkills {
  service: LocalService;
  org: string;
  key: string;
  /** The skills' names by id. */
  names: Map<string, string>;
}

/** Opens a service with this embedder, with all skills stored and indexed. */
export async function storeSkills(embedder: string): Promise<StoredSkills> {
  const service = await openService({ EMBEDDER: embedder });
  const { org, key } = await createOrganization(service);
  const names = new Map<string, string>();
  for (const skill of SKILLS) {
    const { status, body } = await service.request("POST", "/skills", { key, body: { ...skill, domain: "bench" } });
    if (status !== 201) throw new Error(JSON.stringify(body));
    names.set(body.data.id, skill.name);
  }
  const stored = { service, org, key, names };
  await untilEmbedded(stored);
  return stored;
}

const POLL_MS = 100;

/** Waits for the vectors, which are computed after the documents are indexed. */
async function untilEmbedded({ service, org }: StoredSkills): Promise<void> {
  await service.runtime.drainChangeFeed();
  const [any] = SKILLS;
  for (;;) {
    const finder = { ...service.runtime, org: skillsPartition(org), viewer: undefined };
    const { answer } = await findHits(finder, { query: new Query(any?.trigger ?? ""), depth: SKILLS.length });
    if (answer.semantic.length >= SKILLS.length) return;
    await sleep(POLL_MS);
  }
}

/** Returns what the index finds for the requests of a half. */
export async function observe({ service, org, names }: StoredSkills, half: 0 | 1): Promise<Observed[]> {
  const { paraphrases, unrelated } = halfOf(half);
  const requests = [...paraphrases, ...unrelated.map((request) => [request, undefined] as const)];
  const observed: Observed[] = [];
  for (const [request, skill] of requests) {
    const found = await findCandidates(
      { ...service.runtime, org, viewer: undefined },
      { trigger: request, domain: undefined, depth: SKILLS.length },
    );
    const candidates = found.map(({ id, meaning, keywordScore }) => ({
      name: names.get(id) ?? id,
      meaning,
      keywordScore,
    }));
    observed.push({ request, skill, candidates });
  }
  return observed;
}
