/** The API operations that the command line calls in addition to those of the client. */
export const CLI_OPERATIONS = {
  readHealth: { method: "GET", path: "/health" },
  readStatus: { method: "GET", path: "/status" },
  readPrincipal: { method: "GET", path: "/whoami" },
  importFile: { method: "POST", path: "/imports/upload" },
  requestImportLink: { method: "POST", path: "/imports/upload-url" },
  completeImport: { method: "POST", path: "/imports/{event_id}/complete" },
  listImportFailures: { method: "GET", path: "/imports/{event_id}/failures" },
  exportMemories: { method: "POST", path: "/exports" },
} as const;
