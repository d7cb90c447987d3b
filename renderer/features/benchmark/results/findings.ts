// What to say of a result: who won and by how much, and what to know before trusting it, such as settings that were not applied, a machine
// that was disturbed, or a coarse clock.
import { engineOf, referenceOf } from '#shared/bench/engines.ts';
import type { ProfileName } from '#shared/bench/profile.ts';
import { plural, formatFixed } from '../../../ui/format.ts';
import { engineLabel, formatRatio, threeDigits, standingOf } from './labels.ts';
import { rowKey } from './table-model.ts';
import type { Mean, SuiteRow, TableModel } from './table-model.ts';
import { groupBy } from '#shared/group-by.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import { median } from '#shared/bench/statistics.ts';
import { inAll, settingsOf } from './facts.tsx';

/** The fastest engine of a suite besides the reference, and its time relative to the reference. */
interface Leader {
  readonly engine: string;
  readonly reference: string;
  readonly mean: Mean;
}

/** What the words of {@link outcomeOf} mean. */
export const OUTCOME_TERMS =
  '0.50× is half the time. Geometric mean: the mean of ratios, in which twice and half the time cancel out. Interval: where the mean would be in 95 of 100 repetitions; if it includes 1, neither is faster.';

/** Null if nothing was compared with the reference engine of this profile. */
export function outcomeOf({ rows }: Pick<TableModel, 'rows'>, profile: ProfileName): string | null {
  const suites = rows.filter((row) => row.kind === 'suite');
  const leaders = suites.flatMap((suite) => leaderOf(suite, profile) ?? []);
  const [only] = leaders;
  if (!only) return null;
  if (suites.length === 1) return sentenceOf(only);
  const wins = [...groupBy(leaders, winnerOf)].sort((a, b) => b[1].length - a[1].length);
  const parts = wins.map(([winner, of]) => `${winner} in ${of.length}${byHowMuch(of)}`);
  return `Fastest of ${plural(leaders.length, 'suite')}, by geometric means: ${parts.join(', ')}.`;
}

function leaderOf({ means }: SuiteRow, profile: ProfileName): Leader | null {
  const compared = Object.entries(means).flatMap(([engine, mean]): Leader[] => {
    const definition = engineOf(engine);
    const reference = definition && referenceOf(definition, profile);
    // Engines with another reference, such as those in memory, are not compared with these.
    return reference === `native-${profile}` && reference !== engine ? [{ engine, reference, mean }] : [];
  });
  return compared.sort((a, b) => a.mean.value - b.mean.value)[0] ?? null;
}

function winnerOf({ engine, reference, mean }: Leader): string {
  const standing = standingOf(mean);
  if (standing === 'faster') return engineLabel(engine);
  if (standing === 'slower') return engineLabel(reference);
  return standing === 'same' ? 'no difference' : 'too few samples';
}

/** “ (0.40× to 0.50× the time of better-sqlite3, file)” of suites with the same winner. */
function byHowMuch(leaders: readonly Leader[]): string {
  const { mean, reference } = leaders[0]!;
  const values = leaders.map((leader) => leader.mean.value);
  const range = [...new Set([Math.min(...values), Math.max(...values)].map(formatRatio))].join(' to ');
  switch (standingOf(mean)) {
    case 'faster':
      return ` (${range} the time of ${engineLabel(reference)})`;
    case 'slower':
      return ` (the next took ${range} the time)`;
    default:
      return '';
  }
}

const percent = (ratio: number): string => `${formatFixed(ratio * 100, 1)}%`;

function sentenceOf(leader: Leader): string {
  const { engine, reference, mean } = leader;
  const { value, low, high, cells } = mean;
  const [ours, theirs] = [engineLabel(engine), engineLabel(reference)];
  const of = `geometric mean of ${plural(cells, 'test')}`;
  if (low === null || high === null)
    return `${ours} took ${formatRatio(value)} the time of ${theirs} (${of}). One sample each is too few to name a winner.`;
  const interval = `${threeDigits(low)} to ${threeDigits(high)}`;
  // A winner with 1.00× the time would be none.
  const isClose = formatRatio(value) === formatRatio(1);
  const amount = isClose ? `${percent(value)} of` : formatRatio(value);
  const within = isClose ? `${percent(low)} to ${percent(high)}` : interval;
  switch (standingOf(mean)) {
    case 'faster':
      return `${ours} won: ${amount} the time of ${theirs} (${within}, ${of}).`;
    case 'slower':
      return `${theirs} won: ${ours} comes next, with ${amount} the time (${within}, ${of}).`;
    default:
      return `No difference between ${ours} and ${theirs}: ${formatRatio(value)} the time, and the interval, ${interval}, includes 1 (${of}).`;
  }
}

interface Warning {
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
  // A difference that all engines share is what the test asks for.
  const askedFor = new Map<string, ReadonlySet<string>>();
  for (const [key, row] of rowsOf(result.cells))
    if (row.length > 1) askedFor.set(key, new Set(inAll(row.map((cell) => settingsOf(result, cell)))));
  for (const cell of result.cells)
    for (const difference of settingsOf(result, cell)) {
      if (askedFor.get(rowKey(cell))?.has(difference)) continue;
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
