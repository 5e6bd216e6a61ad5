import type { JobKind } from "../../../shared/jobs/kinds.ts";
import type { JobScenario } from "../scenario.ts";
import { cleanup } from "./cleanup.ts";
import { memory_processing } from "./memory-processing.ts";
import { ownership_transfer } from "./ownership-transfer.ts";
import { sync } from "./sync.ts";

/** One for every kind: the compiler misses those that are not here. */
export const SCENARIOS: { [Kind in JobKind]: JobScenario<Kind> } = {
  cleanup,
  sync,
  memory_processing,
  ownership_transfer,
};
