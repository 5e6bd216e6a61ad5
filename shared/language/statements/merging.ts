import { normalizedName } from "../../kernel/text/normalized-name.ts";
import { isUserRole } from "./said-by.ts";
import { wordsSaid } from "./same-statement.ts";
import { type ExtractedEntity, type ExtractedFact, MAX_ENTITIES, MAX_FACTS } from "./schemas.ts";

/** A person and a place may share a name: "Jordan met us in Jordan". Other pairs of types are mistakes. */
export function isPersonOrPlace({ type }: Pick<ExtractedEntity, "type">): boolean {
  return type === "person" || type === "place";
}

/** Returns a function for the merge key of a mention: its name, with its type if both a person and a place have it. */
function identitiesOf(mentions: ExtractedEntity[]): (mention: ExtractedEntity) => string {
  const kinds = Map.groupBy(mentions.filter(isPersonOrPlace), ({ name }) => normalizedName(name));
  const isBoth = (named: ExtractedEntity[]) => new Set(named.map(({ type }) => type)).size > 1;
  const ambiguous = new Set([...kinds].filter(([, named]) => isBoth(named)).map(([key]) => key));
  return ({ name, type }) => {
    const key = normalizedName(name);
    if (!ambiguous.has(key)) return key;
    const first = kinds.get(key)?.[0]?.type;
    return `${key}\n${isPersonOrPlace({ type }) ? type : first}`;
  };
}

/**
 * Returns one entity per thing, most mentioned first, at most `MAX_ENTITIES`. A single name of a person is an alias of
 * the only full name that starts or ends with it; if two fit, it stays a separate person.
 */
export function mergeEntities(mentions: ExtractedEntity[]): ExtractedEntity[] {
  const merged = new Map<string, { entity: ExtractedEntity; mentions: number }>();
  const identityOf = identitiesOf(mentions);
  for (const mention of mentions) {
    const key = identityOf(mention);
    if (normalizedName(mention.name) === "") continue;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { entity: { ...mention, aliases: [...mention.aliases] }, mentions: 1 });
    else {
      known.mentions++;
      known.entity = merge(known.entity, mention);
    }
  }
  const persons = [...merged.values()].filter(({ entity }) => entity.type === "person");
  const people = new Map(persons.map((person) => [normalizedName(person.entity.name), person]));
  const fullNames = fullNamesByPart([...people.keys()]);
  for (const [key, { entity, mentions: count }] of [...merged]) {
    const [full, ...others] = entity.type === "person" ? (fullNames.get(normalizedName(entity.name)) ?? []) : [];
    const target = full === undefined || others.length > 0 ? undefined : people.get(full);
    if (target === undefined) continue;
    target.entity = merge(target.entity, { ...entity, aliases: [...entity.aliases, entity.name] });
    target.mentions += count;
    merged.delete(key);
  }
  return [...merged.values()]
    .sort((one, other) => other.mentions - one.mentions)
    .slice(0, MAX_ENTITIES)
    .map(({ entity }) => entity);
}

/** Merges two mentions: a specific type replaces "other", other spellings become aliases. */
function merge(known: ExtractedEntity, mention: ExtractedEntity): ExtractedEntity {
  const aliases = new Set([...known.aliases, ...mention.aliases]);
  const isSameName = normalizedName(mention.name) === normalizedName(known.name);
  if (isSameName && mention.name.toLowerCase() !== known.name.toLowerCase()) aliases.add(mention.name);
  aliases.delete(known.name);
  return { name: known.name, type: known.type === "other" ? mention.type : known.type, aliases: [...aliases] };
}

/** Shorter names abbreviate too many others. */
const MIN_NICKNAME_CHARACTERS = 3;

/**
 * Replaces single names of people by names from the user's earlier memories (`known`): a first or last name by the only
 * full name that contains it, a nickname ("Mel") by the only name that begins with it.
 */
export function resolveAliases(entities: ExtractedEntity[], known: string[]): ExtractedEntity[] {
  const names = new Map(known.map((name) => [normalizedName(name), name]));
  const resolved = entities.map((entity) => {
    if (!isSingleName(entity)) return entity;
    const [name, ...others] = knownAs(normalizedName(entity.name), names);
    if (name === undefined || others.length > 0) return entity;
    return merge({ ...entity, name }, { ...entity, aliases: [...entity.aliases, entity.name] });
  });
  return mergeEntities(resolved);
}

/** Whether an entity is a person of one name, which others may complete. */
export function isSingleName({ type, name }: Pick<ExtractedEntity, "type" | "name">): boolean {
  return type === "person" && !normalizedName(name).includes(" ");
}

/** Returns the full names that contain the key, otherwise the name itself, otherwise the names that begin with it. */
function knownAs(key: string, names: Map<string, string>): string[] {
  const full = [...names].filter(([name]) => name !== key && name.split(" ").includes(key));
  if (full.length > 0) return full.map(([, name]) => name);
  const itself = names.get(key);
  if (itself !== undefined) return [itself];
  if (key.length < MIN_NICKNAME_CHARACTERS) return [];
  return [...names].filter(([name]) => name.startsWith(key)).map(([, name]) => name);
}

/** Returns each first and last name with the full names that contain it. */
function fullNamesByPart(names: string[]): Map<string, string[]> {
  const byPart = new Map<string, string[]>();
  for (const name of names.filter((fullName) => fullName.includes(" "))) {
    const parts = name.split(" ");
    for (const part of new Set([parts.at(0) ?? "", parts.at(-1) ?? ""])) {
      byPart.set(part, [...(byPart.get(part) ?? []), name]);
    }
  }
  return byPart;
}

/**
 * Returns each statement once, with its highest confidence and preferably the user as its speaker. Of more than
 * `MAX_FACTS`, those with the highest confidence are kept, in order.
 */
export function mergeFacts(facts: ExtractedFact[]): ExtractedFact[] {
  const merged = new Map<string, ExtractedFact>();
  for (const fact of facts) {
    const key = wordsSaid(fact.content);
    const known = merged.get(key);
    const surest = known === undefined || known.confidence < fact.confidence ? fact : known;
    const ofUser = [known, fact].find((candidate) => candidate?.said_by && isUserRole(candidate.said_by.role));
    const drafts = [known, fact].flatMap((each) => each?.drafts ?? []);
    const isQuoted = known?.drafts !== undefined || fact.drafts !== undefined;
    merged.set(key, { ...surest, ...(ofUser?.said_by && { said_by: ofUser.said_by }), ...(isQuoted && { drafts }) });
  }
  const all = [...merged.values()];
  if (all.length <= MAX_FACTS) return all;
  const minConfidence = all.map(({ confidence }) => confidence).sort((a, b) => b - a)[MAX_FACTS - 1] ?? 0;
  return all.filter(({ confidence }) => confidence >= minConfidence).slice(0, MAX_FACTS);
}
