import type { JobKind } from "../../../shared/runtime/jobs/kinds.ts";
import type { JobScenario } from "../scenario.ts";
import { backup } from "./backup.ts";
import { cleanup } from "./cleanup.ts";
import { remove_connection, sync_connection } from "./connections.ts";
import { erase_organization } from "./erase-organization.ts";
import { erase_user } from "./erase-user.ts";
import { exporting } from "./export.ts";
import { find_patterns } from "./find-patterns.ts";
import { forget } from "./forget.ts";
import { importing, importingConversations, importingFile } from "./import.ts";
import { memory_processing } from "./memory-processing.ts";
import { ownership_transfer } from "./ownership-transfer.ts";
import { read_facts } from "./read-facts.ts";
import { remember } from "./remember.ts";
import { remember_session } from "./remember-session.ts";
import { scan_secrets } from "./scan-secrets.ts";
import { expire_upload, ingest_source, remove_source } from "./sources.ts";
import { sync } from "./sync.ts";

/** One for every kind: the compiler misses those that are not here. */
export const SCENARIOS: { [Kind in JobKind]: JobScenario<Kind> } = {
  cleanup,
  sync,
  read_facts,
  erase_user,
  erase_organization,
  find_patterns,
  scan_secrets,
  remember,
  remember_session,
  forget,
  import: importing,
  export: exporting,
  memory_processing,
  ownership_transfer,
  backup,
  ingest_source,
  remove_source,
  expire_upload,
  sync_connection,
  remove_connection,
};

/** Other inputs of a kind, which is the first word of the name. */
export const VARIANTS: readonly [string, JobScenario<JobKind>][] = [
  ["import of a file", importingFile as unknown as JobScenario<JobKind>],
  ["import of conversations", importingConversations as unknown as JobScenario<JobKind>],
];
