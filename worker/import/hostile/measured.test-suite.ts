// What a piece of work takes: the most memory of the process above what it had before, and the time of its processors.
import { readFileSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

export interface Taken<T> {
  readonly result: T;
  readonly peakBytes: number;
  readonly processorMs: number;
}

export async function measured<T>(work: () => Promise<T>): Promise<Taken<T>> {
  collect();
  const before = process.memoryUsage.rss();
  forgetPeak();
  const since = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(since);
  return {
    result,
    peakBytes: peak() - before,
    processorMs: (user + system) / 1000,
  };
}

/** Most memory since then. */
function peak(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))![1]) * 1024;
}

/** Linux counts the peak of a process anew (man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html); elsewhere it is that of all work so far. */
function forgetPeak(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
}
