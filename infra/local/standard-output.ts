/**
 * Keeps the process alive when nobody reads its output any more, for example after `| head` or when a terminal is closed: Node
 * ends a process whose output fails. The lines stay readable at GET /admin/logs.
 */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}
