// The run of this window: begun here, followed by whoever looks, kept when it ends. It goes on when the tab is closed.
import { create } from 'zustand';
import { PROFILES } from '#shared/bench/profile.ts';
import type { OwnQuery } from '#shared/bench/protocol.ts';
import { RESULT_SCHEMA } from '#shared/bench/result.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import type { AppError } from '#shared/protocol/index.ts';
import { APP_SUITES } from '../../../client/bench/app-suites/all.ts';
import { mergeResults } from '../../../client/bench/merge-results.ts';
import { startBenchRun } from '../../../client/bench/run.ts';
import type { BenchProgress, BenchRun } from '../../../client/bench/run.ts';
import { notifyFailure } from '../../../client/databases.ts';
import { notify, updateTab, useStore } from '../../../client/store.ts';
import { readChoice } from '../choice.ts';
import { saveRun } from '../runs/run-library.ts';
import { refusedEngines } from '../setup/availability.ts';

export interface CurrentRun {
  readonly startedAtMs: number;
  readonly progress: BenchProgress | null;
  readonly isPaused: boolean;
  readonly isStopping: boolean;
  /** What is known so far, as a result. */
  readonly result: BenchResult;
  /** The kept run of which some cells are measured again; null: a new one. */
  readonly again: string | null;
}

interface Runs {
  readonly current: CurrentRun | null;
  /** Measured, and not kept: the disk was full, or the library gone. */
  readonly unkept: BenchResult | null;
  /** Why the last run came to nothing. */
  readonly failure: string | null;
  /** Engines that could not be started, with the reason. */
  readonly refused: Readonly<Record<string, string>>;
}

export const useRuns = create<Runs>()(() => ({ current: null, unkept: null, failure: null, refused: {} }));

/** Told more often, drawing would take time from what is measured. */
const TOLD_EVERY_MS = 250;

let running: BenchRun | null = null;

export interface RunOrder {
  readonly plan: BenchPlan;
  readonly own: OwnQuery | null;
  /** The kept run into which its cells go. */
  readonly again?: { readonly id: string; readonly origin: string | null; readonly result: BenchResult };
}

/** Does nothing while another run goes on. */
export function startRun({ plan, own, again }: RunOrder): void {
  if (running) return;
  const current: CurrentRun = {
    startedAtMs: performance.now(),
    progress: null,
    isPaused: false,
    isStopping: false,
    result: again?.result ?? provisional(plan, []),
    again: again?.id ?? null,
  };
  useRuns.setState({ current, failure: null, unkept: null });
  const tell = throttled((progress) =>
    patch({ progress, ...(!again && { result: provisional(plan, progress.cells) }) }),
  );
  running = startBenchRun(plan, { appSuites: APP_SUITES, own }, tell);
  void follow(running, again ?? null);
}

export function pauseRun(): void {
  running?.pause();
  patch({ isPaused: true });
}

export function resumeRun(): void {
  running?.resume();
  patch({ isPaused: false });
}

/** What was measured until now is kept. */
export function stopRun(): void {
  patch({ isStopping: true });
  running?.stop();
}

async function follow(run: BenchRun, again: RunOrder['again'] | null): Promise<void> {
  let failure: string | null = null;
  try {
    const measured = await run.result;
    useRuns.setState(({ refused }) => ({ refused: { ...refused, ...refusedEngines(measured) } }));
    await keep(measured, again);
  } catch (thrown) {
    failure = (thrown as AppError).message;
  } finally {
    running = null;
    useRuns.setState({ current: null, failure });
  }
}

async function keep(measured: BenchResult, again: RunOrder['again'] | null): Promise<void> {
  const hasNumbers = measured.cells.some(({ samples }) => samples.length > 0);
  // Where it was stopped before it was measured again the old numbers stay.
  const cells = measured.cells.filter(({ status }) => status !== 'stopped');
  if (again && cells.length === 0) return;
  const result = again ? mergeResults(again.result, { ...measured, cells }) : measured;
  if (!hasNumbers && !again) useRuns.setState({ unkept: result });
  else await keepResult(result, again ?? null);
  if (document.hidden || !isShown()) notify({ tone: 'info', topic: 'benchmark', text: 'The benchmark is done.' });
}

/** Puts it among the kept runs and shows it there. */
export async function keepResult(result: BenchResult, again: RunOrder['again'] | null): Promise<void> {
  try {
    const { id } = await saveRun(again?.id ?? null, result, again?.origin ?? null);
    useRuns.setState({ unkept: null });
    showInTabs(id);
  } catch (thrown) {
    notifyFailure(thrown);
    useRuns.setState({ unkept: result });
  }
}

const isShown = (): boolean => {
  const { tabs, activeTabId, libraryVisible } = useStore.getState();
  return !libraryVisible && tabs.find(({ id }) => id === activeTabId)?.kind === 'benchmark';
};

/** Who was watching the run goes on to its result; who looks at something else stays there. */
function showInTabs(run: string): void {
  for (const tab of useStore.getState().tabs) {
    if (tab.kind !== 'benchmark') continue;
    const choice = readChoice(tab.choice);
    if (choice.run === null) updateTab(tab.id, { choice: { ...choice, run } });
  }
}

function patch(change: Partial<CurrentRun>): void {
  useRuns.setState(({ current }) => ({ current: current && { ...current, ...change } }));
}

function throttled(tell: (progress: BenchProgress) => void): (progress: BenchProgress) => void {
  let latest: BenchProgress | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (progress) => {
    latest = progress;
    timer ??= setTimeout(() => {
      timer = undefined;
      tell(latest!);
    }, TOLD_EVERY_MS);
  };
}

/** A result of cells alone, for looking at while it is measured: nothing is known of the machine yet. */
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
