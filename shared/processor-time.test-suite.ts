// Measures how much work something is, for tests.

/** Milliseconds of processor time that this thread needs for `work`: other work of the machine in the meantime is not included. */
export async function processorMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
