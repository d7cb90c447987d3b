// How cells compare with the reference engine: ratios of single cells, and their geometric means.
import { engineOf, referenceOf } from '#shared/bench/engines.ts';
import type { BenchCell, BenchGeomean, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { geometricMean, pairedRatio, roundMeans } from '#shared/bench/statistics.ts';
import type { Pairs } from '#shared/bench/statistics.ts';
import { createRandom } from '#shared/random.ts';

/** The parts of a plan that ratios depend on. */
type RatioPlan = Pick<BenchPlan, 'profile' | 'seed'>;

/** Ratios to better-sqlite3 with the same storage and profile, if both have numbers: `cells` are whole rows. */
export function withRatios(cells: readonly BenchCell[], plan: RatioPlan): readonly BenchCell[] {
  return cells.map((cell) => {
    const reference = referenceCell(cells, cell, plan);
    if (!reference || cell.status !== 'ok') return cell;
    const ratio = sureRatio(pairsOf(cell, reference), plan);
    const delivered = sureRatio(deliveredPairs(cell, reference), plan);
    return {
      ...cell,
      ratio: ratio?.value ?? null,
      ratioLow: ratio?.low ?? null,
      ratioHigh: ratio?.high ?? null,
      deliveredRatio: delivered?.value ?? null,
      deliveredRatioLow: delivered?.low ?? null,
      deliveredRatioHigh: delivered?.high ?? null,
    };
  });
}

/** Fewer rounds say nothing about the spread: resampling always gives the same ones. */
const FEWEST_FOR_INTERVAL = 3;

function sureRatio(
  pairs: Pairs,
  { seed }: RatioPlan,
): { readonly value: number; readonly low: number | null; readonly high: number | null } | null {
  const ratio = pairedRatio(pairs, createRandom(seed));
  const rounds = Math.min(pairs.ours.length, pairs.theirs.length);
  return ratio && rounds < FEWEST_FOR_INTERVAL ? { value: ratio.value, low: null, high: null } : ratio;
}

function referenceCell(cells: readonly BenchCell[], cell: BenchCell, plan: RatioPlan): BenchCell | null {
  const engine = engineOf(cell.engine);
  if (!engine || cell.scope === 'app') return null;
  const wanted = referenceOf(engine, plan.profile);
  if (wanted === cell.engine) return null;
  return (
    cells.find(
      ({ suite, test, size, engine: other, status }) =>
        other === wanted && status === 'ok' && suite === cell.suite && test === cell.test && size === cell.size,
    ) ?? null
  );
}

const pairsOf = (cell: BenchCell, reference: BenchCell): Pairs => ({
  ours: roundMeans(cell.samples, cell.perRound),
  theirs: roundMeans(reference.samples, reference.perRound),
});

/** Delivery times, split into as many groups as there are rounds. */
function deliveredPairs(cell: BenchCell, reference: BenchCell): Pairs {
  const ofRounds = ({ delivered, samples, perRound }: BenchCell): readonly number[] =>
    roundMeans(delivered, Math.floor(delivered.length / Math.max(1, Math.floor(samples.length / perRound))));
  return { ours: ofRounds(cell), theirs: ofRounds(reference) };
}

/** Geometric means by suite and engine, over all times except totals. */
export function geomeansOf(cells: readonly BenchCell[], plan: RatioPlan): readonly BenchGeomean[] {
  const groups = new Map<string, { readonly first: BenchCell; readonly tests: Pairs[] }>();
  for (const cell of cells) {
    const reference = referenceCell(cells, cell, plan);
    if (!reference || cell.status !== 'ok' || cell.unit === 'bytes' || /^total(-|$)/.test(cell.test)) continue;
    const key = `${cell.suite} ${cell.engine}`;
    const group = groups.get(key) ?? { first: cell, tests: [] };
    groups.set(key, group);
    group.tests.push(pairsOf(cell, reference));
  }
  return [...groups.values()].flatMap(({ first, tests }) => {
    const mean = geometricMean(tests, createRandom(plan.seed));
    if (!mean) return [];
    return [
      {
        suite: first.suite,
        engine: first.engine,
        ratio: mean.value,
        ratioLow: mean.low,
        ratioHigh: mean.high,
        cells: tests.length,
      },
    ];
  });
}

const keyOf = ({ suite, test, size, engine }: BenchCell): string => `${suite} ${test} ${size} ${engine}`;

/** Replaces cells that were measured again, and recalculates what is derived from them. Both must have the same profile. Facts about the machine stay those of `older`; disturbances of both are kept. */
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
