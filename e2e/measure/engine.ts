// The engine by itself, in Node and in memory, beside the package's own wrapper and better-sqlite3 (`worker/bench/process/measure-engines.test-suite.ts`).
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const ROUNDS = 9;
const OURS = 'sidelite';
/** Pairs whose times are reported as ratios. */
const RATIOS = [
  [OURS, 'oo1'],
  [OURS, 'better-sqlite3'],
  [OURS, 'sidelite, no tracking'],
  ['sidelite, history too', 'sidelite, no tracking'],
] as const;
const MEASURED = resolve(import.meta.dirname, '../../worker/bench/process/measure-engines.test-suite.ts');

/** The part of that file in use, which is loaded as it is. */
interface Measured {
  measureEngines(
    rounds: number,
    rest: () => Promise<void>,
  ): Promise<{
    readonly about: readonly string[];
    readonly tasks: readonly { readonly what: string; readonly times: ReadonlyMap<string, readonly number[]> }[];
  }>;
}

export async function measureEngine(report: Report): Promise<void> {
  const { measureEngines } = (await import(pathToFileURL(MEASURED).href)) as Measured;
  const { about, tasks } = await measureEngines(ROUNDS, quietMoment);
  for (const line of about) report.note(`engine: ${line}`);
  for (const { what, times } of tasks) {
    for (const [name, ms] of times) report.add(`${what}: ${name}`, 'ms', ms);
    for (const [one, other] of RATIOS)
      report.addRatio(`${what}: ${one} / ${other}`, times.get(one)!, times.get(other)!);
  }
}
