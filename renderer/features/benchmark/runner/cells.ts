// Makes cells from measurements, judges whether engines did the same, and compares cells with the reference engine.
import { engineOf, referenceOf } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { PROFILES } from '#shared/bench/profile.ts';
import type { Pragmas, SettingDifference } from '#shared/bench/profile.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import type { BenchCell, BenchGeomean, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { drawEvenly, median, quantile, geometricMean, pairedRatio } from '#shared/bench/statistics.ts';
import type { Pairs } from '#shared/bench/statistics.ts';
import type { BenchUnit, Target, PartFacts, PartSample } from './target.ts';
import type { UnitRecord, UnitRun } from './measure-unit.ts';
import { roundsOf } from '../results/labels.ts';
import { cellKey } from '../results/table-model.ts';
import type { Timing } from '../results/labels.ts';
import { formatCount, plural } from '../../../ui/format.ts';
import { createRandom } from '#shared/random.ts';

interface CellsInput {
  readonly unit: BenchUnit;
  readonly run: UnitRun;
  readonly targets: readonly Target[];
  readonly plan: BenchPlan;
  /** The only sequence of its suite has a plain `total`. */
  readonly sequences: number;
}

/** Cells without ratios: the reference may be among the cells of another engine, see {@link withRatios}. */
export function cellsOf(input: CellsInput): readonly BenchCell[] {
  const { unit, run, targets } = input;
  return run.records.flatMap((record) => {
    const facts = targets.find(({ engine }) => engine === record.engine)!.facts;
    const cells = unit.tests.map((test) => cellOf(input, record, test, facts.get(test.id)));
    return unit.sequence === null ? cells : [...cells, totalOf(input, record, cells)];
  });
}

export type NotMeasured = Pick<BenchCell, 'status' | 'why' | 'engineIsMissing'>;

/** Cell of an engine that did not even start. */
export function cellWithout(unit: BenchUnit, test: TestFacts, engine: EngineId, notMeasured: NotMeasured): BenchCell {
  return { ...emptyCell(unit, test, engine), ...notMeasured, why: notMeasured.why ?? '' };
}

function emptyCell(
  unit: BenchUnit,
  test: Pick<TestFacts, 'id' | 'unit' | 'kind' | 'transaction' | 'scope'>,
  engine: EngineId,
): BenchCell {
  return {
    suite: unit.suite,
    test: test.id,
    size: unit.size,
    engine,
    unit: test.unit,
    kind: test.kind,
    ...(test.scope && { scope: test.scope }),
    samples: [],
    perRound: 1,
    median: null,
    p95: null,
    rows: null,
    checksum: null,
    ratio: null,
    ratioLow: null,
    ratioHigh: null,
    status: 'ok',
    why: null,
    firstUse: null,
    delivered: [],
    deliveredRatio: null,
    deliveredRatioLow: null,
    deliveredRatioHigh: null,
    windowBusyMs: [],
    batch: 1,
    statements: [],
    transaction: test.transaction,
    pragmas: {},
    fileBytesAfter: null,
    heapBytesAfter: null,
  };
}

function cellOf(
  { unit, run, plan }: CellsInput,
  record: UnitRecord,
  test: TestFacts,
  facts: PartFacts | undefined,
): BenchCell {
  const empty = emptyCell(unit, test, record.engine);
  const part = (round: readonly PartSample[]): PartSample | undefined => round.find((one) => one.test === test.id);
  const timed = record.timed.map(part).filter((one) => one !== undefined);
  const deep = part(record.deep);
  // The amount of work in a time window differs between rounds, but all rounds have the same weight.
  const perRound = Math.min(...timed.map((one) => one.samples.length));
  const samples = timed.flatMap((one) => drawEvenly(one.samples, perRound));
  const verdict = judge(record, test, { timed, deep, run, plan, facts });
  const usable = verdict.status === 'ok' || verdict.status === 'void' || verdict.status === 'stopped';
  return {
    ...empty,
    samples,
    perRound: timed.length > 0 ? perRound : 1,
    median: usable && samples.length > 0 ? median(samples) : null,
    p95: usable && samples.length > 0 ? quantile(samples, 0.95) : null,
    rows: deep?.rows ?? facts?.rows ?? null,
    checksum: checksumOf(deep),
    ...verdict,
    transaction: facts?.transaction ?? test.transaction,
    firstUse: firstUseOf(part(record.first)),
    delivered: timed.flatMap((one) => one.delivered),
    windowBusyMs: timed.flatMap((one) => one.windowBusyMs),
    batch: test.measures === 'delivery' ? 1 : run.batch,
    statements: facts?.statements ?? [],
    pragmas: facts ? differing(facts.pragmas, plan) : {},
    fileBytesAfter: facts?.fileBytes ?? null,
    heapBytesAfter: facts?.heapBytes ?? null,
  };
}

const firstUseOf = (part: PartSample | undefined): number | null =>
  part && part.samples.length > 0 ? part.samples[0]! : null;

/** Checksum of the rows read and of what remains in the database. */
function checksumOf(deep: PartSample | undefined): string | null {
  return deep ? `${deep.read ?? ''}${deep.left ?? ''}` : null;
}

function differing(found: Partial<Pragmas>, plan: BenchPlan): Partial<Pragmas> {
  const asked = PROFILES[plan.profile];
  return Object.fromEntries(Object.entries(found).filter(([name, value]) => asked[name as keyof Pragmas] !== value));
}

interface Evidence {
  readonly timed: readonly PartSample[];
  readonly deep: PartSample | undefined;
  readonly run: UnitRun;
  readonly plan: BenchPlan;
  readonly facts: PartFacts | undefined;
}

type Verdict = Pick<BenchCell, 'status' | 'why'>;

function judge(record: UnitRecord, test: TestFacts, evidence: Evidence): Verdict {
  const { failure } = record;
  // Sides that run at the same time fail together.
  const isOwn = failure !== null && (failure.test === test.id || test.side !== undefined);
  if (failure && evidence.timed.length === 0) {
    if (isOwn) return { status: failure.status, why: failure.why };
    return {
      status: failure.status,
      why: `Not reached: “${failure.test}”, which comes before it, failed. ${failure.why}`,
    };
  }
  if (isOwn) return { status: failure.status, why: failure.why };
  const wrong = whatIsWrong(record, test, evidence);
  if (wrong !== null) return { status: 'void', why: `Not valid: ${wrong}.` };
  if (record.stopped) return { status: 'stopped', why: 'Stopped before all rounds were done.' };
  const differences = evidence.facts?.differences ?? [];
  const notes = [
    ...(differences.length > 0 ? [`Measured with other settings: ${asText(differences)}.`] : []),
    ...hiddenNote(record),
  ];
  return { status: 'ok', why: notes.length > 0 ? notes.join(' ') : null };
}

function hiddenNote({ hiddenRounds, timed }: UnitRecord): readonly string[] {
  if (hiddenRounds === 0) return [];
  return [
    `The window was hidden in ${hiddenRounds} of ${timed.length} rounds: systems slow down windows that are not shown, so these may have taken longer.`,
  ];
}

const asText = (differences: readonly SettingDifference[]): string => differences.map(({ text }) => text).join(', ');

/** The end of a sentence that says what is wrong; null if the engine did the same as the others. */
function whatIsWrong(record: UnitRecord, test: TestFacts, { timed, deep, run, plan, facts }: Evidence): string | null {
  const seen = [...timed, ...(deep ? [deep] : [])];
  const miscounted = seen.find(({ wrong }) => wrong !== null);
  if (miscounted) return miscounted.wrong!;
  if (facts?.rows != null && deep?.rows != null && deep.rows !== facts.rows) {
    return `it read and changed ${plural(deep.rows, 'row')} instead of ${formatCount(facts.rows)}`;
  }
  if (new Set(timed.map(({ read }) => read)).size > 1) return 'the rounds did not all read the same values';
  if (new Set(seen.map(({ left }) => left)).size > 1) return 'the rounds did not all leave the same data behind';
  const durability = (facts?.differences ?? []).filter(
    ({ pragma }) => pragma === 'journal_mode' || pragma === 'synchronous',
  );
  const isFixed = engineOf(record.engine)?.profile !== null && engineOf(record.engine)?.storage === 'file';
  if (durability.length > 0 && isFixed) return `its durability settings are not as required: ${asText(durability)}`;
  const reference = run.records.find(({ engine }) => engine === referenceOf(engineOf(record.engine)!, plan.profile));
  const standard =
    reference && reference.failure === null ? reference : run.records.find(({ failure }) => failure === null);
  if (!deep || !standard || standard === record) return null;
  const theirs = standard.deep.find((part) => part.test === test.id);
  if (!theirs) return null;
  if (deep.rows !== theirs.rows)
    return `it read ${plural(deep.rows ?? 0, 'row')}, ${standard.engine} ${formatCount(theirs.rows ?? 0)}`;
  if (deep.read !== theirs.read) return `it read different values than ${standard.engine}`;
  if (deep.left !== theirs.left) return `it left different data behind than ${standard.engine}`;
  return null;
}

/** The total of a sequence, over rounds in which every part was completed. */
function totalOf({ unit, run, sequences }: CellsInput, record: UnitRecord, cells: readonly BenchCell[]): BenchCell {
  const id = sequences > 1 ? `total-${unit.sequence}` : 'total';
  const empty = emptyCell(
    unit,
    { id, unit: 'ms', kind: 'throughput', transaction: 'As in each of its parts.' },
    record.engine,
  );
  const bad = cells.find(({ status }) => status !== 'ok');
  if (bad) return { ...empty, status: bad.status, why: `“${bad.test}” has no number: ${bad.why ?? ''}` };
  const sum = (round: readonly PartSample[]): number => round.reduce((total, { timedMs }) => total + timedMs, 0);
  const samples = record.timed.filter((round) => round.length === unit.tests.length).map(sum);
  return {
    ...empty,
    samples,
    median: median(samples),
    p95: quantile(samples, 0.95),
    firstUse: record.first.length === unit.tests.length ? sum(record.first) : null,
    why: hiddenNote(record)[0] ?? null,
    batch: run.batch,
  };
}

/** The parts of a plan that ratios depend on. */
type RatioPlan = Pick<BenchPlan, 'profile' | 'seed'>;

/** Ratios to better-sqlite3 with the same storage and profile, if both have numbers: `cells` are whole rows. */
export function withRatios(cells: readonly BenchCell[], plan: RatioPlan): readonly BenchCell[] {
  return cells.map((cell) => {
    const reference = referenceCell(cells, cell, plan);
    if (!reference || cell.status !== 'ok') return cell;
    const ratio = sureRatio(pairsOf(cell, reference), plan);
    const delivered = sureRatio(pairsOf(cell, reference, 'delivered'), plan);
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

const pairsOf = (cell: BenchCell, reference: BenchCell, timing: Timing = 'engine'): Pairs => ({
  ours: roundsOf(cell, timing),
  theirs: roundsOf(reference, timing),
});

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

/** Replaces cells that were measured again, and recalculates what is derived from them. Both must have the same profile. Facts about the machine stay those of `older`; disturbances of both are kept. */
export function mergeResults(older: BenchResult, newer: BenchResult): BenchResult {
  const again = new Map(newer.cells.map((cell) => [cellKey(cell), cell]));
  const kept = older.cells.map((cell) => again.get(cellKey(cell)) ?? cell);
  const known = new Set(older.cells.map(cellKey));
  const added = newer.cells.filter((cell) => !known.has(cellKey(cell)));
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
