// Replaces cells that were measured again, and recalculates what is derived from them.
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { geomeansOf, withRatios } from './ratios.ts';

const keyOf = ({ suite, test, size, engine }: BenchCell): string => `${suite} ${test} ${size} ${engine}`;

/** Both must have the same profile. Facts about the machine stay those of `older`; disturbances of both are kept. */
export function mergeResults(older: BenchResult, newer: BenchResult): BenchResult {
  const again = new Map(newer.cells.map((cell) => [keyOf(cell), cell]));
  const kept = older.cells.map((cell) => again.get(keyOf(cell)) ?? cell);
  const known = new Set(older.cells.map(keyOf));
  const added = newer.cells.filter((cell) => !known.has(keyOf(cell)));
  const plan = { profile: older.profile.name, seed: older.env.seed };
  const cells = withRatios([...kept, ...added], plan);
  const engines = older.env.engines.map(({ engine }) => engine);
  const env = {
    ...older.env,
    events: [...older.env.events, ...newer.env.events],
    engines: [...older.env.engines, ...newer.env.engines.filter(({ engine }) => !engines.includes(engine))],
  };
  return { ...older, env, cells, geomeans: geomeansOf(cells, plan) };
}
