import { COMPONENTS } from "../../../shared/ports/components.ts";
import { badge, h, ownWords, table, timeAgo } from "./dom.js";
import { amount, count, when, words } from "./format.js";
import { actionButton, panel, panelOf } from "./panel.js";

/** @typedef {import("./api.js").Answer<typeof import("../../maintenance/schemas.ts").JobList>} JobList */
/** @typedef {import("./api.js").Answer<typeof import("../../backups/schemas.ts").BackupList>} BackupList */
/** @typedef {import("./api.js").Answer<typeof import("../../monitoring/schemas.ts").LogList>} LogList */

const BYTES_PER_MB = 1_000_000;

/** @type {import("./main.js").View} */
export const operate = {
  id: "operate",
  title: "Jobs, backups, logs",
  group: "Operate",
  changes: true,
  isFor: ({ operator, permissions }) => operator && permissions.includes("admin:all"),
  open: (page) => [maintenanceJobs(page, "Jobs").element, backups(page), panelOf(page, "Logs", "/admin/logs", logs)],
};

/**
 * Jobs of the organization, and for its operator those of the deployment.
 * @param {import("./main.js").Page} page
 * @param {string} title
 */
export function maintenanceJobs({ api, signal }, title) {
  return panel({
    title,
    signal,
    load: (signal) => /** @type {Promise<JobList>} */ (api.get("/admin/jobs", { signal })),
    show: ({ jobs }) => {
      if (jobs.length === 0) return [h("p", {}, "No job ran.")];
      const rows = jobs.map((job) => [
        words(job.type),
        badge(job.status),
        `${count(job.progress.passes_done)} of ${count(job.progress.passes)}`,
        outcomeOf(job),
        timeAgo(job.submitted_at),
        ownWords(job.error ?? ""),
      ]);
      return [table("Maintenance jobs", ["Job", "State", "Passes", "Outcome", "Submitted", "Error"], rows)];
    },
  });
}

/** @param {JobList["jobs"][number]} job */
function outcomeOf({ secrets, erased, dry_run }) {
  if (erased !== undefined) return `${count(erased)} records erased`;
  if (secrets === undefined) return "";
  return `${count(secrets.changed)} of ${count(secrets.checked)} memories ${dry_run ? "would change" : "changed"}`;
}

/** @param {import("./main.js").Page} page */
function backups(page) {
  const { api, signal } = page;
  const list = panel({
    title: "Backups",
    signal,
    load: (signal) => /** @type {Promise<BackupList>} */ (api.get("/admin/backups", { signal })),
    show: ({ backups }) => {
      if (backups.length === 0) return [h("p", {}, "No backup exists.")];
      const rows = backups.map(({ id, status, size_bytes, created_at, expires_at }) => [
        h("code", {}, id),
        badge(status),
        amount(size_bytes === null || size_bytes === undefined ? undefined : size_bytes / BYTES_PER_MB, "MB"),
        timeAgo(created_at),
        timeAgo(expires_at),
      ]);
      return [table("Backups of the deployment", ["Backup", "State", "Size", "Begun", "Kept until"], rows)];
    },
  });
  const start = actionButton(page, {
    action: "Make a backup",
    done: "A backup is on its way.",
    send: () => api.post("/admin/backup", { body: { components: COMPONENTS }, signal }),
    reload: list.reload,
  });
  list.element.append(start);
  return list.element;
}

/** @param {LogList} answer */
function logs({ logs }) {
  if (logs.length === 0) return [h("p", {}, "The log is empty.")];
  const rows = logs.map(({ timestamp, level, service, message }) => [
    when(timestamp),
    level,
    service,
    ownWords(message),
  ]);
  return [table("Log entries, newest first", ["Time", "Level", "Part", "Message"], rows)];
}
