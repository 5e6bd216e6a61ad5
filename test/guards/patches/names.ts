import { guards, type Patch } from "../patch.ts";
import { MEM0, NAMES } from "./tests.ts";

/** What a request says and nothing reads is refused, so that it never asks for more than was meant. */
export const NAME_PATCHES: readonly Patch[] = guards("names", [
  [
    "names: unknown ones are refused",
    "shared/runtime/schemas/known-fields.ts",
    "if (problems.length > 0) throw nameError(problems, unnamed);",
    "if (problems.length > MAX_NAMED) throw nameError(problems, unnamed);",
    [NAMES],
    "that it does not know",
  ],
  [
    "names: two of one thing that differ are refused",
    "shared/runtime/schemas/aliases.ts",
    "return there === undefined || isSame(there, sent) ?",
    "return there !== null || isSame(there, sent) ?",
    [NAMES],
    "refuses two that differ",
  ],
  [
    "names: a read-only field that differs is refused",
    "shared/runtime/http/read-only.ts",
    "if (changed.length > 0) throw",
    "if (changed.length > MAX_NAMED) throw",
    [NAMES],
    "what GET answered",
  ],
  [
    "names: searches and lists of mem0's clients name a scope",
    "functions/compat/memories/narrowing.ts",
    "if (!namesScope({ all: [named, filtered] })) throw withoutScope();",
    "if (namesScope({ all: [] })) throw withoutScope();",
    [MEM0],
    "says nothing of whose memories",
  ],
  [
    "names: every part of an OR names a scope",
    "shared/domain/integration/compat/filters.ts",
    "expression.any.length > 0 && expression.any.every(namesScope)",
    "expression.any.length > 0 && expression.any.some(namesScope)",
    [MEM0],
    "says nothing of whose memories",
  ],
]);
