// The run of this window: started here, shown in its tabs, kept when it ends. It continues when the tab is closed.
import { create } from 'zustand';
import { PROFILES } from '#shared/bench/profile.ts';
import type { OwnQuery } from '#shared/bench/protocol.ts';
import { RESULT_SCHEMA } from '#shared/bench/result.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { SavedRun } from '#shared/protocol/index.ts';
import { APP_SUITES } from '../runner/app-suites/all.ts';
import { mergeResults } from '../runner/cells.ts';
import { startBenchRun } from '../runner/run.ts';
import type { BenchProgress, BenchRun } from '../runner/run.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { isDesktop, shell } from '../../../connection/shell.ts';
import { beforeWindowCloses } from '../../../state/state-saving.ts';
import { isBenchmarkTab } from '../../../workbench/tabs/benchmark.ts';
import type { BenchmarkTab } from '../../../workbench/tabs/benchmark.ts';
import { notify, updateTab, useStore } from '../../../state/store.ts';
import { readChoice } from '../choice.ts';
import { titleOfPlan } from '../runs/run-facts.ts';
import { saveRun } from '../runs/run-library.ts';
import { refusedEngines } from '../setup/plan.ts';
import { engineOf } from '#shared/bench/engines.ts';
import { suiteOf } from '#shared/bench/suites.ts';
import type { Rerun } from '../results/result-screen.tsx';

export interface CurrentRun {
  readonly startedAtMs: number;
  readonly progress: BenchProgress | null;
  readonly isPaused: boolean;
  readonly isStopping: boolean;
  readonly result: BenchResult;
  /** The saved run of which some cells are measured again; null: a new one. */
  readonly again: string | null;
}

interface Runs {
  readonly current: CurrentRun | null;
  /** Measured but not saved: the disk was full, or the library gone. */
  readonly unkept: BenchResult | null;
  readonly failure: string | null;
  /** Engines that could not be started, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
  /** Begins when the other window is done. */
  readonly waiting: RunOrder | null;
}

export const useRuns = create<Runs>()(() => ({
  current: null,
  unkept: null,
  failure: null,
  refused: {},
  waiting: null,
}));

/** Reporting more often would take time from what is measured. */
const TOLD_EVERY_MS = 250;
const OTHERS_TOLD_EVERY_MS = 1_000;

let running: BenchRun | null = null;
let ending: Promise<void> = Promise.resolve();

export interface RunOrder {
  readonly plan: BenchPlan;
  readonly own: OwnQuery | null;
  /** The saved run into which its cells go. */
  readonly again?: { readonly id: string; readonly origin: string | null; readonly result: BenchResult };
}

useStore.subscribe(({ measuringElsewhere }) => {
  const { waiting } = useRuns.getState();
  if (measuringElsewhere === null && waiting) startRun(waiting);
});

/** Starts at once unless another window is measuring; then it starts when that window is done. */
export function startRunInTurn(order: RunOrder): void {
  if (useStore.getState().measuringElsewhere === null) startRun(order);
  else useRuns.setState({ waiting: order, failure: null });
}

export function stopWaiting(): void {
  useRuns.setState({ waiting: null });
}

/** Does nothing while another run of this window is in progress. */
export function startRun(order: RunOrder): void {
  if (running) return;
  const { plan, own, again } = order;
  const current: CurrentRun = {
    startedAtMs: performance.now(),
    progress: null,
    isPaused: false,
    isStopping: false,
    result: again?.result ?? provisional(plan, []),
    again: again?.id ?? null,
  };
  useRuns.setState({ current, failure: null, unkept: null, waiting: null });
  useStore.setState({ measuringHere: 0 });
  const kept: Kept = { id: again?.id ?? null };
  const show = throttled(TOLD_EVERY_MS, (progress) => showProgress(plan, progress, again === undefined));
  const tellOthers = throttled(OTHERS_TOLD_EVERY_MS, ({ text, share, secondsLeft }) => {
    if (!running) return;
    // The next one takes its place.
    shell.bench.tell({ text, share, secondsLeft }).catch(() => undefined);
    useStore.setState({ measuringHere: share });
  });
  const keepUnfinished = async (result: BenchResult): Promise<void> => {
    kept.id = (await saveRun(kept.id, result, null, titleOfPlan(plan))).id;
  };
  running = startBenchRun(
    plan,
    // Cells that are measured again go into their run all together.
    { appSuites: APP_SUITES, own, ...(!again && { keep: keepUnfinished }) },
    (progress) => {
      show(progress);
      tellOthers(progress);
    },
  );
  ending = follow(running, order, kept);
}

/** What has been saved of a run in progress; null until the first save. */
interface Kept {
  id: string | null;
}

/** Cells that did not change keep their result, so that the table is not laid out again for every round. */
function showProgress(plan: BenchPlan, progress: BenchProgress, isNew: boolean): void {
  const shown = useRuns.getState().current?.result.cells;
  patch({ progress, ...(isNew && shown !== progress.cells && { result: provisional(plan, progress.cells) }) });
}

export function pauseRun(): void {
  running?.pause();
  patch({ isPaused: true });
}

export function resumeRun(): void {
  running?.resume();
  patch({ isPaused: false });
}

/** Stops the run; what was measured so far is kept. */
export function stopRun(): void {
  patch({ isStopping: true });
  running?.stop();
}

async function follow(run: BenchRun, order: RunOrder, kept: Kept): Promise<void> {
  let failure: string | null = null;
  let waiting: RunOrder | null = null;
  try {
    const measured = await run.result;
    useRuns.setState(({ refused }) => ({ refused: { ...refused, ...refusedEngines(measured) } }));
    await keep(measured, order, kept);
  } catch (thrown) {
    // Another window was quicker.
    if (toAppError(thrown).code === 'measuring-elsewhere') waiting = order;
    else failure = toAppError(thrown).message;
  } finally {
    running = null;
    useStore.setState({ measuringHere: null });
    useRuns.setState({ current: null, failure, waiting });
    // It may be done by now.
    if (waiting && useStore.getState().measuringElsewhere === null) startRun(waiting);
  }
}

async function keep(measured: BenchResult, { plan, again }: RunOrder, kept: Kept): Promise<void> {
  const hasNumbers = measured.cells.some(({ samples }) => samples.length > 0);
  // If the run was stopped before a cell was measured again, its old numbers stay.
  const cells = measured.cells.filter(({ status }) => status !== 'stopped');
  if (again && cells.length === 0) return;
  const result = again ? mergeResults(again.result, { ...measured, cells }) : measured;
  if (!hasNumbers && !again) useRuns.setState({ unkept: result });
  else await keepResult(result, { id: kept.id, origin: again?.origin ?? null, title: titleOfPlan(plan) });
  if (document.hidden || !isShown()) notify({ tone: 'info', topic: 'benchmark', text: 'The benchmark is done.' });
}

interface RunSlot {
  /** The saved run to replace; null: a new one. */
  readonly id: string | null;
  readonly origin: string | null;
  readonly title: string;
}

/** Saves the result among the other runs and shows it there. */
export async function keepResult(result: BenchResult, { id: known, origin, title }: RunSlot): Promise<void> {
  try {
    const { id } = await saveRun(known, result, origin, title);
    useRuns.setState({ unkept: null });
    showInTabs(id);
  } catch (thrown) {
    notifyFailure(thrown);
    useRuns.setState({ unkept: result });
  }
}

const isShown = (): boolean => {
  const { tabs, activeTabId, libraryVisible } = useStore.getState();
  return !libraryVisible && isBenchmarkTab(tabs.find(({ id }) => id === activeTabId));
};

/** A user who was watching the run is taken to its result; anyone looking at something else stays there. */
function showInTabs(run: string): void {
  for (const tab of useStore.getState().tabs) {
    if (!isBenchmarkTab(tab)) continue;
    const choice = readChoice(tab.choice);
    if (choice.run === null) updateTab<BenchmarkTab>(tab.id, { choice: { ...choice, run } });
  }
}

function patch(change: Partial<CurrentRun>): void {
  useRuns.setState(({ current }) => ({ current: current && { ...current, ...change } }));
}

/** Keeps what was measured so far before the window closes. */
beforeWindowCloses(async () => {
  stopWaiting();
  if (!running) return;
  stopRun();
  await ending;
});

// A plain browser has no main process that could ask, so the browser asks, in its own words.
if (!isDesktop)
  window.addEventListener('beforeunload', (event) => {
    if (!running) return;
    event.preventDefault();
    event.returnValue = '';
  });

function throttled(everyMs: number, tell: (progress: BenchProgress) => void): (progress: BenchProgress) => void {
  let latest: BenchProgress | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (progress) => {
    latest = progress;
    timer ??= setTimeout(() => {
      timer = undefined;
      tell(latest!);
    }, everyMs);
  };
}

/** A result with cells only, to be viewed during the run: nothing is known about the machine yet. */
function provisional({ profile, seed }: BenchPlan, cells: readonly BenchCell[]): BenchResult {
  return {
    schema: RESULT_SCHEMA,
    env: {
      appVersion: '',
      electron: null,
      chromium: '',
      v8: null,
      node: null,
      os: '',
      cpu: '',
      cores: navigator.hardwareConcurrency,
      ramBytes: null,
      disk: null,
      diskFreeBytes: null,
      onBattery: null,
      crossOriginIsolated,
      timerStepMs: 0,
      commit: null,
      seed,
      startedAt: new Date().toISOString(),
      seconds: 0,
      events: [],
      engines: [],
    },
    profile: { name: profile, ...PROFILES[profile] },
    cells,
    geomeans: [],
  };
}

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
