/** Milliseconds of this thread's processor time: other processes and threads of a busy machine do not count. */
export async function processorTimeOf(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
