// What to know before trusting a result: settings that were not applied, a machine that was disturbed, a coarse clock.
import { groupBy } from '#shared/group-by.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { median } from '#shared/bench/statistics.ts';
import { formatFixed, plural } from '../../../ui/format.ts';
import { settingsOf } from './facts.ts';
import { rowKey } from './table-model.ts';
import { engineLabel } from './labels.ts';

export interface Warning {
  /** A few words for a badge. */
  readonly badge: string;
  readonly text: string;
}

/** Samples shorter than this many steps of the clock are mostly rounding. */
const FEW_STEPS = 20;

export function warningsOf(result: BenchResult): readonly Warning[] {
  return [
    ...unfinishedWarning(result),
    ...consistencyWarning(result),
    ...profileWarning(result),
    ...environmentWarnings(result),
    ...timerWarning(result),
    ...versionWarning(result),
  ];
}

function profileWarning(result: BenchResult): Warning[] {
  const byEngine = new Map<string, Set<string>>();
  const rows = rowsOf(result.cells);
  for (const cell of result.cells)
    for (const difference of settingsOf(result, cell)) {
      // A difference that all engines share is what the test asks for.
      const row = rows.get(rowKey(cell)) ?? [];
      if (row.length > 1 && row.every((other) => settingsOf(result, other).includes(difference))) continue;
      const found = byEngine.get(cell.engine) ?? new Set();
      byEngine.set(cell.engine, found.add(difference));
    }
  if (byEngine.size === 0) return [];
  const lines = [...byEngine].map(([engine, differences]) => `${engineLabel(engine)}: ${[...differences].join(', ')}`);
  return [
    {
      badge: 'settings differ',
      text: `These settings, read back, differ from the profile and between engines:\n${lines.join('\n')}`,
    },
  ];
}

/** Cells that were measured, by test and size. */
function rowsOf(cells: readonly BenchCell[]): ReadonlyMap<string, readonly BenchCell[]> {
  const rows = new Map<string, BenchCell[]>();
  for (const cell of cells) {
    if (cell.samples.length === 0) continue;
    const row = rows.get(rowKey(cell)) ?? [];
    row.push(cell);
    rows.set(rowKey(cell), row);
  }
  return rows;
}

/** Results made elsewhere may contain rounded medians. */
const ROUNDING = 0.01;

/** Other people's results may contain anything; samples and the figures derived from them must at least agree. */
function consistencyWarning({ cells }: BenchResult): Warning[] {
  const wrong = cells.filter((cell) => {
    if (cell.status !== 'ok' || cell.median === null) return false;
    if (cell.samples.length === 0) return true;
    const own = median(cell.samples);
    return Math.abs(own - cell.median) > ROUNDING * Math.max(own, cell.median);
  });
  if (wrong.length === 0) return [];
  const names = wrong.slice(0, 12).map(({ suite, test, engine }) => `${suite} ${test}, ${engineLabel(engine)}`);
  return [
    {
      badge: 'inconsistent figures',
      text: `In ${plural(wrong.length, 'cell')} the median does not match the samples:\n${names.join('\n')}`,
    },
  ];
}

function unfinishedWarning({ env }: BenchResult): Warning[] {
  if (!env.unfinished) return [];
  const text = 'The app or its window closed before the run finished. The results up to then are shown.';
  return [{ badge: 'not finished', text }];
}

function environmentWarnings({ env }: BenchResult): Warning[] {
  const warnings: Warning[] = [];
  if (env.onBattery)
    warnings.push({
      badge: 'on battery',
      text: 'The machine ran on battery power, which often slows down the processor.',
    });
  if (!env.crossOriginIsolated)
    warnings.push({
      badge: 'not isolated',
      text: 'The page was not cross-origin isolated: its clock is coarse and memory cannot be shared.',
    });
  const events = env.events.filter(({ what }) => what !== '');
  if (events.length > 0) {
    const isHidden = events.some(({ kind }) => kind === 'hidden');
    warnings.push({
      badge: isHidden ? 'window hidden' : 'disturbed',
      text: [
        `${plural(events.length, 'event')} disturbed the measurement:`,
        ...events.slice(0, 12).map(({ atMs, what }) => `${formatFixed(atMs / 1000, 1)} s: ${what}`),
        ...(events.length > 12 ? [`and ${events.length - 12} more`] : []),
      ].join('\n'),
    });
  }
  return warnings;
}

function timerWarning({ env, cells }: BenchResult): Warning[] {
  const steps = new Map<string, number>(env.engines.map(({ engine, timerStepMs }) => [engine, timerStepMs]));
  const coarse = cells.filter((cell) => {
    if (cell.unit === 'bytes') return false;
    const step = steps.get(cell.engine) ?? 0;
    const sampleMs = ((cell.median ?? Infinity) * cell.batch) / (cell.unit === 'us' ? 1_000 : 1);
    return sampleMs < step * FEW_STEPS;
  });
  if (coarse.length === 0) return [];
  const names = [...new Set(coarse.map(({ suite, test, engine }) => `${suite} ${test}, ${engineLabel(engine)}`))];
  return [
    {
      badge: 'coarse timer',
      text: `In ${plural(coarse.length, 'cell')} a sample is shorter than ${FEW_STEPS} steps of the engine’s clock, so rounding affects it:\n${names.slice(0, 12).join('\n')}`,
    },
  ];
}

function versionWarning({ env }: BenchResult): Warning[] {
  const versions = groupBy(env.engines, ({ version }) => version);
  if (versions.size < 2) return [];
  const lines = [...versions].map(
    ([version, engines]) => `${version}: ${engines.map(({ engine }) => engineLabel(engine)).join('; ')}`,
  );
  return [
    {
      badge: 'versions differ',
      text: `Not all engines have the same version: where versions differ, products are compared, not only ways to run them.\n${lines.join('\n')}`,
    },
  ];
}
