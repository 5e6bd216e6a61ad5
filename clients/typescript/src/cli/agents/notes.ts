import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import type { MemoryClient } from "../../client.ts";
import type { Invocation } from "../command.ts";
import { IgnoreRules } from "./ignore.ts";
import { isConfirmed, userOrDefault } from "./install.ts";
import { findProject } from "./project.ts";

/** Files in which a project tells agents what they must know. */
const NOTES = ["CLAUDE.md", "AGENTS.md"];

/**
 * Stores the notes of the project in the current folder as sources, after a question. A file that did not change is not
 * stored again.
 */
export async function offerNotes({ output, values }: Invocation, client: () => MemoryClient): Promise<void> {
  const { root, name, id } = findProject(process.cwd());
  const rules = IgnoreRules.in(root);
  const notes = NOTES.filter((file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile());
  for (const file of notes.filter((each) => !rules.ignores(each))) {
    const isWanted = values.notes || (!values.yes && (await isConfirmed(`Store what ${file} of ${name} says?`)));
    if (!isWanted) continue;
    await client().sources.add({
      type: "text",
      content: readFileSync(path.join(root, file), "utf8"),
      title: `${file} of the project ${name}`,
      provider: "memory-service-client",
      external_id: `${id}/${file}`,
      user_id: userOrDefault(values.user),
      metadata: { project: name, project_id: id },
    });
    output.note(`Stored ${path.join(root, file)}.`);
  }
}
