// Tries inputs that are nearly right, one after the other, and collects what a person must never get: an error that says nothing, an endless
// wait, or no memory left.
import type { Fuzzed } from './fuzzed.test-suite.ts';
import { mutated } from './mutations.test-suite.ts';
import { faultOf } from './read-bomb.test-suite.ts';

/** Time of a processor that an input of a few kilobytes may take. */
const MOST_MS = 5000;
const MOST_BYTES = 300e6;

export interface Finding {
  readonly seed: number;
  readonly what: string;
}

/** Null: nothing is wrong. */
export async function faultOfInput({ read }: Fuzzed, bytes: Uint8Array): Promise<string | null> {
  const since = process.cpuUsage();
  const before = process.memoryUsage.rss();
  let fault: string | null = null;
  try {
    await read(bytes);
  } catch (error) {
    fault = faultOf(error);
  }
  const tookMs = process.cpuUsage(since).user / 1000;
  if (tookMs > MOST_MS) return `it takes ${tookMs} ms`;
  const tookBytes = process.memoryUsage.rss() - before;
  return tookBytes > MOST_BYTES ? `it takes ${tookBytes} bytes` : fault;
}

/** @param isOver asked before each seed @returns at most a few, and how many seeds there were */
export async function fuzz(
  fuzzed: Fuzzed,
  firstSeed: number,
  isOver: (seeds: number) => boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly seeds: number }> {
  const findings: Finding[] = [];
  let seed = firstSeed;
  for (; !isOver(seed - firstSeed) && findings.length < 5; seed++) {
    const what = await faultOfInput(fuzzed, mutated(fuzzed.inputs, seed));
    if (what !== null) findings.push({ seed, what });
  }
  return { findings, seeds: seed - firstSeed };
}
