import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import type { SearchDocument } from "../../shared/ports/search-index.ts";

type SampleDocument = Pick<SearchDocument, "id" | "content" | "session_id" | "entity_ids"> &
  Partial<Pick<SearchDocument, "ratings">>;

const STARTED_AT = Date.UTC(2025, 2, 3, 9);
const DAY_MINUTES = 24 * 60;

const MIA = "ent_mia";
const OSLO = "ent_oslo";
const BISTRO = "ent_bistro";

/** Three sessions of one person, on three days. */
const SESSIONS: SampleDocument[][] = [
  [
    { id: "move", content: "Mia found a flat in Oslo and moves in April.", entity_ids: [MIA, OSLO] },
    { id: "rent", content: "The rent is 14,000 crowns a month, heating included.", entity_ids: [] },
    { id: "boxes", content: "We packed forty boxes of books last night.", entity_ids: [] },
    { id: "piano", content: "The piano stays here until somebody buys it.", entity_ids: [] },
  ],
  [
    { id: "bistro", content: "The bistro on the corner hired a new chef.", entity_ids: [BISTRO] },
    { id: "menu", content: "Her fish soup is the best thing on the menu.", entity_ids: [] },
    { id: "booking", content: "I booked a table for six on Friday evening.", entity_ids: [] },
    {
      id: "allergy",
      content: "Jonas is allergic to shellfish, so call ahead.",
      entity_ids: [],
      ratings: { count: 4, mean: 5 },
    },
    {
      id: "allergy_note",
      content: "Remember that Jonas is allergic to shellfish.",
      entity_ids: [],
      ratings: { count: 4, mean: 1 },
    },
  ],
  [
    { id: "visit", content: "Mia plays cello in an orchestra now.", entity_ids: [MIA] },
    { id: "concert", content: "Their concert at the harbour was sold out.", entity_ids: [] },
    { id: "weather", content: "It snowed all weekend and the trams stood still.", entity_ids: [] },
    { id: "dinner", content: "Dinner at the bistro cost more than the tickets.", entity_ids: [BISTRO] },
  ],
].map((session, number) => session.map((told) => ({ ...told, session_id: `session_${number}` })));

/** The corpus that both platforms must rank alike. */
export const RANKED_CORPUS: (SampleDocument & { created_at: string })[] = SESSIONS.flatMap((session, day) =>
  session.map((told, minute) => ({
    ...told,
    created_at: new Date(STARTED_AT + (day * DAY_MINUTES + minute) * MINUTE_MS).toISOString(),
  })),
);

/** Ids in order; those in a list of their own have scores that differ by less than engines do, and are in order of their ids. */
export type Order = (string | string[])[];

/**
 * Queries with the first ids of each ranking on the local platform, as many as have scores that differ by more than
 * engines do (0.001). Users notice a change of these.
 */
export const RANKINGS: { query: string; plain: Order; hybrid: Order; spreading: Order }[] = [
  {
    query: "Where does Mia live?",
    plain: ["visit", "move", "concert", "allergy"],
    hybrid: [["move", "visit"], "allergy", "concert"],
    spreading: ["visit", "move", "concert"],
  },
  {
    query: "What is Jonas allergic to?",
    plain: ["allergy", "booking", "menu", "bistro"],
    hybrid: ["allergy", "boxes", "piano", "weather"],
    spreading: ["allergy", "booking", "menu", "bistro"],
  },
  {
    query: "How much is the rent of the flat in Oslo?",
    plain: ["move", "rent", "boxes", "piano"],
    hybrid: ["move", "rent", "visit", "bistro"],
    spreading: ["move", "rent", "boxes"],
  },
  {
    query: "new chef of the bistro",
    plain: ["bistro", "menu"],
    hybrid: ["bistro", "dinner", "allergy", "visit"],
    spreading: ["bistro", "menu"],
  },
  {
    query: "dinner on Friday evening",
    plain: ["booking", "dinner", "allergy", "bistro"],
    hybrid: ["booking", "dinner", "weather", "bistro"],
    spreading: ["booking", "dinner", "allergy", "bistro"],
  },
  {
    query: "orchestra concert tickets",
    plain: ["concert", "dinner", "visit", "weather"],
    hybrid: ["concert", "dinner", "visit", "allergy"],
    spreading: ["concert", "dinner", "visit", "weather"],
  },
];
