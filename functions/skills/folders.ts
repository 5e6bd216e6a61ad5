import { type FieldProblem, invalid, notFound } from "../../shared/kernel/errors.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { JsonObject } from "../../shared/platform/ports.ts";
import { clashIn, problemOfPath, SKILL_FILE, withoutCommonFolder } from "../../shared/skills/folders/paths.ts";
import { type BundledFile, readFiles } from "../../shared/skills/folders/records.ts";
import { folderNameOf, readSkillFile, writeSkillFile } from "../../shared/skills/folders/skill-file.ts";
import { findHolder } from "../../shared/skills/records.ts";
import { presentSkill } from "../../shared/skills/wire.ts";
import type * as schemas from "./schemas.ts";
import { getSkill, type Input, replaceDefinition } from "./service.ts";
import { type Definition, nameTaken, storeSkill } from "./store.ts";

/** Bytes of one file beside SKILL.md, and of all of them. */
const MAX_FILE_BYTES = 200_000;
const MAX_TOTAL_BYTES = 700_000;
/** Where a skill keeps what the front matter said besides: exporting writes it back. */
const FRONT_MATTER = "front_matter";
const NEUTRAL_CONFIDENCE = 0.5;
const DEFAULT_DOMAIN = "general";

/** Stores a skill from the files of a SKILL.md folder, with its bundled files; a new version of it where that is asked for. */
export async function importSkill(ctx: Context, { files, domain, replace }: Input<typeof schemas.ImportSkill>) {
  const { instructions, bundled } = partsOf(files);
  const { rest, ...read } = await readSkillFile(instructions);
  const definition: Definition = {
    ...read,
    domain: domain ?? read.domain ?? DEFAULT_DOMAIN,
    confidence: NEUTRAL_CONFIDENCE,
    metadata: Object.keys(rest).length === 0 ? {} : { [FRONT_MATTER]: rest },
  };
  const holder = await findHolder(ctx, definition.name);
  if (holder === undefined) {
    return presentSkill(await storeSkill(ctx, definition, { reason: "imported", files: bundled }));
  }
  if (!replace) throw nameTaken(definition.name, holder);
  const { confidence: _, ...change } = definition;
  return replaceDefinition(ctx, holder, change, { reason: "imported", files: bundled });
}

/** Checks the files before any of them is read: their paths, encodings and sizes. Throws VALIDATION_ERROR. */
function partsOf(files: Input<typeof schemas.ImportSkill>["files"]): { instructions: string; bundled: BundledFile[] } {
  const problems = files.flatMap(({ path }, place): FieldProblem[] => {
    const problem = problemOfPath(path);
    return problem === undefined ? [] : [{ field: `files.${place}.path`, problem }];
  });
  if (problems.length > 0) throw invalid(...problems);
  const paths = withoutCommonFolder(files.map(({ path }) => path));
  const clash = clashIn(paths);
  if (clash !== undefined) throw invalid({ field: "files", problem: `'${clash}' is there twice, or as a folder too` });
  const all = files.map((file, place) => ({ ...file, path: paths[place] ?? file.path }));
  const main = all.find(({ path }) => path === SKILL_FILE);
  if (main === undefined) throw invalid({ field: "files", problem: `lacks ${SKILL_FILE}` });
  refuseTooLarge(all);
  const instructions = main.encoding === "utf8" ? main.content : Buffer.from(main.content, "base64").toString("utf8");
  return { instructions: instructions.toWellFormed(), bundled: all.filter((file) => file !== main) };
}

function refuseTooLarge(files: BundledFile[]): void {
  const sizes = files.map(({ content, encoding }) => Buffer.byteLength(content, encoding));
  const large = sizes.findIndex((size) => size > MAX_FILE_BYTES);
  if (large >= 0) throw invalid({ field: `files.${large}.content`, problem: `is more than ${MAX_FILE_BYTES} bytes` });
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total > MAX_TOTAL_BYTES)
    throw invalid({ field: "files", problem: `are more than ${MAX_TOTAL_BYTES} bytes together` });
}

/** The files of a skill as a SKILL.md folder. Throws SKILL_NOT_FOUND. */
export async function exportSkill(ctx: Context, id: string) {
  const skill = await getSkill(ctx, id);
  const { [FRONT_MATTER]: kept } = skill.metadata;
  const rest = typeof kept === "object" && kept !== null && !Array.isArray(kept) ? (kept as JsonObject) : {};
  const bundled = await readFiles(ctx.ports.records, skill);
  if (bundled.length < (skill.bundle?.paths.length ?? 0)) throw notFound("skill", id);
  const main: BundledFile = { path: SKILL_FILE, encoding: "utf8", content: await writeSkillFile(skill, rest) };
  return { skill_id: id, version: skill.version, folder: folderNameOf(skill.name), files: [main, ...bundled] };
}
