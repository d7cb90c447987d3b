// Measuring a cell again: with all engines of its row, in rounds that are interleaved as before, so that ratios stay paired.
import { engineOf } from '#shared/bench/engines.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import type { SavedRun } from '#shared/protocol/index.ts';
import { APP_SUITES } from '../runner/app-suites/all.ts';
import { shell } from '../../../connection/shell.ts';
import { notify } from '../../../state/store.ts';
import type { Rerun } from '../results/result-screen.tsx';
import { startRun } from './run-store.ts';

/** @param busy what is already being measured: in this window, or in the one with this title */
export function rerunOf(
  run: SavedRun,
  result: BenchResult,
  busy: 'here' | { readonly windowTitle: string } | null,
): Rerun {
  const why = busy
    ? `${busy === 'here' ? 'A benchmark is running.' : `${busy.windowTitle} is running a benchmark.`} Wait for it to finish, or stop it.`
    : run.origin !== null
      ? 'It was measured on another machine: results from two machines must not be mixed.'
      : null;
  return { why, cell: (cell) => void rerun(run, result, cell) };
}

async function rerun({ id, origin }: SavedRun, result: BenchResult, cell: BenchCell): Promise<void> {
  const suite = suiteOf(cell.suite);
  const problem =
    !suite || (suite.where === 'app' && !APP_SUITES[suite.id])
      ? 'This version no longer has the suite.'
      : suite.id === 'own-query'
        ? 'The data of your own query may have changed. Measure it in a new run.'
        : await differenceOf(result);
  if (problem !== null) {
    notify({ tone: 'warning', topic: 'benchmark', text: problem });
    return;
  }
  const { suite: of, test, size } = cell;
  const row = result.cells.filter((other) => other.suite === of && other.test === test && other.size === size);
  startRun({
    plan: {
      suites: [of],
      engines: row.map(({ engine }) => engine).filter((engine) => engineOf(engine)),
      sizes: [size],
      rounds: roundsOf(row),
      profile: result.profile.name,
      quick: false,
      seed: result.env.seed,
      tests: [test.replace(/^total(-.*)?$/, '') || firstPart(result, cell)],
    },
    own: null,
    again: { id, origin, result },
  });
}

/** A sum is measured by measuring its parts. */
function firstPart({ cells }: BenchResult, { suite, size, test }: BenchCell): string {
  const sequence = /^total-(.*)$/.exec(test)?.[1];
  const part = cells.find(
    (cell) =>
      cell.suite === suite &&
      cell.size === size &&
      cell.test !== test &&
      (!sequence || cell.test.endsWith(`-${sequence}`)),
  );
  return part?.test ?? test;
}

/** The same number of rounds as before, so that the new numbers are as reliable as the old ones. */
function roundsOf(row: readonly BenchCell[]): number | null {
  const rounds = Math.max(0, ...row.map(({ samples, perRound }) => Math.floor(samples.length / Math.max(1, perRound))));
  return rounds > 0 ? rounds : null;
}

async function differenceOf({ env }: BenchResult): Promise<string | null> {
  const now = await shell.bench.machine();
  const changed = (['cpu', 'os', 'appVersion', 'electron'] as const).find((fact) => now[fact] !== env[fact]);
  return changed
    ? `This run was measured in a different environment (${env[changed] ?? 'unknown'}, now ${now[changed] ?? 'unknown'}): its numbers must not be mixed with new ones. Start a new run and compare the two.`
    : null;
}
