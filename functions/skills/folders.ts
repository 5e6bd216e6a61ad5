import {
  findPathClash,
  problemOfPath,
  SKILL_FILE,
  withoutCommonFolder,
} from "../../shared/domain/agents/skills/folders/paths.ts";
import { type BundledFile, readFiles } from "../../shared/domain/agents/skills/folders/records.ts";
import { folderNameOf, readSkillFile, writeSkillFile } from "../../shared/domain/agents/skills/folders/skill-file.ts";
import { findSkillIdByName } from "../../shared/domain/agents/skills/records.ts";
import { presentSkill } from "../../shared/domain/agents/skills/wire.ts";
import { type FieldProblem, invalid, notFound } from "../../shared/kernel/errors.ts";
import { isObject } from "../../shared/kernel/objects.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { getSkill, replaceDefinition } from "./service.ts";
import { type Definition, nameTaken, storeSkill } from "./store.ts";

/** Maximum bytes of one file of the folder, and of all of them. */
const MAX_FILE_BYTES = 200_000;
const MAX_TOTAL_BYTES = 700_000;
/** The metadata member with the other fields of the front matter, which an export writes back. */
const FRONT_MATTER = "front_matter";
const NEUTRAL_CONFIDENCE = 0.5;
const DEFAULT_DOMAIN = "general";

/**
 * Stores a skill from the files of a SKILL.md folder, or a new version of an existing one if `replace` is set. Throws
 * SKILL_NAME_EXISTS if the name is taken, and VALIDATION_ERROR.
 */
export async function importSkill(ctx: Context, { files, domain, replace }: Input<typeof schemas.ImportSkill>) {
  const { instructions, bundled } = splitFiles(files);
  const { rest, ...read } = await readSkillFile(instructions);
  const definition: Definition = {
    ...read,
    domain: domain ?? read.domain ?? DEFAULT_DOMAIN,
    confidence: NEUTRAL_CONFIDENCE,
    metadata: Object.keys(rest).length === 0 ? {} : { [FRONT_MATTER]: rest },
  };
  const holder = await findSkillIdByName(ctx, definition.name);
  if (holder === undefined) {
    return presentSkill(await storeSkill(ctx, definition, { reason: "imported", files: bundled }));
  }
  if (!replace) throw nameTaken(definition.name, holder);
  const { confidence: _, ...change } = definition;
  return replaceDefinition(ctx, holder, change, { reason: "imported", files: bundled });
}

/** Validates the paths and sizes of the files, and separates SKILL.md from the others. Throws VALIDATION_ERROR. */
function splitFiles(files: Input<typeof schemas.ImportSkill>["files"]): {
  instructions: string;
  bundled: BundledFile[];
} {
  const problems = files.flatMap(({ path }, index): FieldProblem[] => {
    const problem = problemOfPath(path);
    return problem === undefined ? [] : [{ field: `files.${index}.path`, problem }];
  });
  if (problems.length > 0) throw invalid(...problems);
  const paths = withoutCommonFolder(files.map(({ path }) => path));
  const clash = findPathClash(paths);
  if (clash !== undefined) throw invalid({ field: "files", problem: `'${clash}' occurs twice, or also as a folder` });
  const all = files.map((file, index) => ({ ...file, path: paths[index] ?? file.path }));
  const main = all.find(({ path }) => path === SKILL_FILE);
  if (main === undefined) throw invalid({ field: "files", problem: `lacks ${SKILL_FILE}` });
  refuseTooLarge(all);
  const instructions = main.encoding === "utf8" ? main.content : Buffer.from(main.content, "base64").toString("utf8");
  return { instructions: instructions.toWellFormed(), bundled: all.filter((file) => file !== main) };
}

function refuseTooLarge(files: BundledFile[]): void {
  const sizes = files.map(({ content, encoding }) => Buffer.byteLength(content, encoding));
  const index = sizes.findIndex((size) => size > MAX_FILE_BYTES);
  if (index >= 0) throw invalid({ field: `files.${index}.content`, problem: `is more than ${MAX_FILE_BYTES} bytes` });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > MAX_TOTAL_BYTES)
    throw invalid({ field: "files", problem: `have more than ${MAX_TOTAL_BYTES} bytes in total` });
}

/** The files of a skill as a SKILL.md folder. Throws SKILL_NOT_FOUND. */
export async function exportSkill(ctx: Context, id: string) {
  const skill = await getSkill(ctx, id);
  const { [FRONT_MATTER]: kept } = skill.metadata;
  const rest = isObject(kept) ? (kept as JsonObject) : {};
  const bundled = await readFiles(ctx.ports.records, skill);
  if (bundled.length < (skill.bundle?.paths.length ?? 0)) throw notFound("skill", id);
  const main: BundledFile = { path: SKILL_FILE, encoding: "utf8", content: await writeSkillFile(skill, rest) };
  return { skill_id: id, version: skill.version, folder: folderNameOf(skill.name), files: [main, ...bundled] };
}
