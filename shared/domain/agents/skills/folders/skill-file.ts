import * as z from "zod";
import { type FieldProblem, invalid } from "../../../../kernel/errors.ts";
import { isObject } from "../../../../kernel/objects.ts";
import type { JsonObject } from "../../../../ports/json.ts";
import type { Skill } from "../skill.ts";

/** Maximum characters of the front matter, which bounds its parsing. */
const MAX_FRONT_MATTER_LENGTH = 8_000;
/** Maximum characters of the instructions. */
const MAX_INSTRUCTIONS_LENGTH = 40_000;
const MAX_NAME_LENGTH = 128;
const MAX_DESCRIPTION_LENGTH = 1_024;
const MAX_LISTED = 20;
const FENCE = "---";

const TextList = z.array(z.string().trim().min(1).max(1_000)).max(MAX_LISTED);

/** The fields below `metadata` that the service itself writes to an exported skill. */
const OwnMetadata = z.object({
  title: z.string().trim().min(1).max(MAX_NAME_LENGTH).optional(),
  domain: z.string().trim().min(1).max(256).optional(),
  tags: TextList.optional(),
  examples: TextList.optional(),
});

const FrontMatter = z.looseObject({
  name: z.string().trim().min(1).max(MAX_NAME_LENGTH),
  description: z.string().trim().min(1).max(MAX_DESCRIPTION_LENGTH),
  metadata: z.looseObject(OwnMetadata.shape).optional(),
});

/** The parts of a SKILL.md file; `rest` is other front matter. */
export interface SkillFile extends Pick<Skill, "name" | "trigger" | "action" | "tags" | "examples"> {
  domain?: string | undefined;
  rest: JsonObject;
}

/** Parses a SKILL.md file: YAML front matter with name and description, then instructions. Throws VALIDATION_ERROR. */
export async function readSkillFile(content: string): Promise<SkillFile> {
  const lines = content.replace(/^\uFEFF/, "").split(/\r?\n/);
  const end =
    lines[0]?.trimEnd() === FENCE ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === FENCE) : -1;
  if (end < 0) throw invalidFile("begins with no front matter between two lines of ---");
  const { name, description, metadata = {}, ...others } = await readFrontMatter(lines.slice(1, end).join("\n"));
  const action = lines
    .slice(end + 1)
    .join("\n")
    .trim();
  if (action === "") throw invalidFile("has no instructions below its front matter");
  if (action.length > MAX_INSTRUCTIONS_LENGTH) {
    throw invalidFile(
      `has instructions of more than ${MAX_INSTRUCTIONS_LENGTH} characters: put parts of them into files beside it`,
    );
  }
  const { title, domain, tags = [], examples = [], ...more } = metadata;
  const rest = Object.keys(more).length === 0 ? others : { ...others, metadata: more };
  return { name: title ?? name, trigger: description, action, tags, examples, domain, rest: rest as JsonObject };
}

async function readFrontMatter(text: string): Promise<z.output<typeof FrontMatter>> {
  if (text.length > MAX_FRONT_MATTER_LENGTH) throw invalidFile("has a front matter that is too long");
  const { parseDocument } = await import("./yaml.ts");
  const document = parseDocument(text, { schema: "core", logLevel: "silent" });
  const [fault] = document.errors;
  if (fault) throw invalidFile(`has no valid YAML in its front matter: ${fault.message.split("\n", 1)[0]}`);
  const read = FrontMatter.safeParse(toPlain(document));
  if (read.success) return read.data;
  throw invalid(
    ...read.error.issues.map(
      ({ path, message }): FieldProblem => ({ field: `SKILL.md.${path.join(".")}`, problem: message }),
    ),
  );
}

/** The document as plain JSON. Throws for aliases, which can expand a few lines into many. */
function toPlain(document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ReferenceError) throw invalidFile("has an alias in its front matter: write the value out");
    throw error;
  }
}

function invalidFile(problem: string) {
  return invalid({ field: "SKILL.md", problem });
}

type WrittenSkill = Pick<Skill, "name" | "trigger" | "action" | "domain" | "tags" | "examples">;

/** A skill as a SKILL.md file that parses back to the same skill. */
export async function writeSkillFile(
  { name, trigger, action, domain, tags, examples }: WrittenSkill,
  rest: JsonObject,
): Promise<string> {
  const { stringify } = await import("./yaml.ts");
  const { metadata, ...others } = rest;
  const otherMetadata = isObject(metadata) ? metadata : {};
  const folder = folderNameOf(name);
  const ownMetadata = {
    ...(folder !== name && { title: name }),
    domain,
    ...(tags.length > 0 && { tags }),
    ...(examples.length > 0 && { examples }),
  };
  const front = { ...others, name: folder, description: trigger, metadata: { ...otherMetadata, ...ownMetadata } };
  return `${FENCE}\n${stringify(front, { lineWidth: 0 })}${FENCE}\n\n${action.trim()}\n`;
}

const MAX_FOLDER_LENGTH = 64;

/** A folder name of lower-case letters, digits and hyphens. */
export function folderNameOf(name: string): string {
  const parts = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return parts.join("-").slice(0, MAX_FOLDER_LENGTH).replace(/-$/, "") || "skill";
}
