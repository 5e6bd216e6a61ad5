import path from "node:path";
import { DEFAULT_EXTRACTION_SETTINGS, type Extraction, extract } from "../../shared/domain/memory/extraction.ts";
import { createBuiltInModel } from "../../shared/domain/models/built-in-model.ts";
import { normalizedName } from "../../shared/kernel/text/normalized-name.ts";
import labels from "../fixtures/entities-of-conversation-26.json" with { type: "json" };
import { readConversation, type SpokenTurn } from "./locomo.ts";
import { locomoFiles } from "./locomo-files.ts";

/** Returns the turns of a LoCoMo conversation in ../shared/bench; undefined if the data is absent. */
export function readTurns(name: string): SpokenTurn[] | undefined {
  const file = locomoFiles().find((each) => path.basename(each) === `${name}.json`);
  return file === undefined ? undefined : readConversation(file).turns;
}

const model = createBuiltInModel();

export function extractTurn({ speaker, text, sessionDateTime }: SpokenTurn): Promise<Extraction> {
  const memory = { content: `${speaker}: ${text}`, metadata: { session_date_time: sessionDateTime } };
  return extract({ fast: model, verify: model }, memory, DEFAULT_EXTRACTION_SETTINGS);
}

export interface EntityQuality {
  labelled: number;
  /** Share of the labelled entities that are found in at least one of the turns where they are labelled. */
  recall: number;
  /** Share of the distinct entities found in any turn that are labelled. */
  precision: number;
  /** Share of the labelled entities found that have the right type. */
  typed: number;
  missed: string[];
  wrong: string[];
}

/** Compares built-in extraction with the labels of conversation 26; returns undefined if the data is absent. */
export async function measureEntities(): Promise<EntityQuality | undefined> {
  const turns = readTurns(labels.conversation);
  if (turns === undefined) return undefined;
  const found = new Map<string, { name: string; type: string; turns: Set<string> }>();
  for (const turn of turns) {
    for (const { name, type } of (await extractTurn(turn)).entities) {
      const key = `${type}:${normalizedName(name)}`;
      const known = found.get(key) ?? { name, type, turns: new Set() };
      known.turns.add(turn.dia_id);
      found.set(key, known);
    }
  }
  const namesOf = ({ name, aliases = [] }: { name: string; aliases?: string[] }) =>
    [name, ...aliases].map(normalizedName);
  const hits = labels.entities.map((label) => {
    const names = new Set(namesOf(label));
    return {
      label,
      found: [...found.values()].filter(
        (entity) => names.has(normalizedName(entity.name)) && label.turns.some((turn) => entity.turns.has(turn)),
      ),
    };
  });
  const recalled = hits.filter((hit) => hit.found.length > 0);
  const labelled = new Set(labels.entities.flatMap(namesOf));
  const wrong = [...found.values()].filter(({ name }) => !labelled.has(normalizedName(name)));
  return {
    labelled: labels.entities.length,
    recall: recalled.length / hits.length,
    precision: 1 - wrong.length / found.size,
    typed: recalled.filter((hit) => hit.found.some(({ type }) => type === hit.label.type)).length / recalled.length,
    missed: hits.filter((hit) => hit.found.length === 0).map(({ label }) => label.name),
    wrong: wrong.map(({ name, type }) => `${name} (${type})`),
  };
}
