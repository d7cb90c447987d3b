// Measures how much work something is, for tests.

/** Milliseconds of the processor that this thread needs for `work`: what else the machine does in the meantime is not in them. */
export async function processorMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
