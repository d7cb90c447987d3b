// The run of a window with everything around it: another window that measures, a window that closes, a disk that is full.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/index.ts';
import { madeResult } from '#shared/bench/made-result.test-suite.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { endWork } from '../../../state/state-saving.ts';
import { useStore } from '../../../state/store.ts';
import type { BenchProgress, BenchServices } from '../runner/run.ts';
import type { BenchmarkTab } from '../../../workbench/tabs/benchmark.ts';

interface FakeRun {
  readonly plan: BenchPlan;
  readonly services: BenchServices;
  readonly onProgress: (progress: BenchProgress) => void;
  readonly calls: string[];
  end(result: BenchResult): void;
  fail(error: AppError): void;
}

const fake = vi.hoisted(() => ({
  runs: [] as unknown[],
  saved: [] as unknown[][],
  saving: ((): unknown => null) as () => unknown,
}));
const runs = fake.runs as FakeRun[];

vi.stubGlobal('document', { hidden: false });
vi.stubGlobal('crossOriginIsolated', true);
vi.mock('../../../connection/shell.ts', () => ({ isDesktop: true, shell: { bench: { tell: async () => undefined } } }));
vi.mock('../../../connection/database-client.ts', () => ({
  client: { call: async () => [], on: () => () => undefined, onReconnected: () => () => undefined },
}));
vi.mock('../benchmark-tab.tsx', () => ({ BenchmarkTab: () => null }));
vi.mock('../runner/app-suites/all.ts', () => ({ APP_SUITES: {} }));
vi.mock('../runs/run-library.ts', () => ({
  saveRun: async (id: string | null, result: BenchResult, origin: string | null, title: string) => {
    fake.saved.push([id, result, origin, title]);
    await fake.saving();
    return { id: id ?? `run ${fake.saved.length}` };
  },
}));
vi.mock('../runner/run.ts', () => ({
  startBenchRun: (plan: BenchPlan, services: BenchServices, onProgress: FakeRun['onProgress']) => {
    const { promise, resolve, reject } = Promise.withResolvers<BenchResult>();
    const calls: string[] = [];
    fake.runs.push({ plan, services, onProgress, calls, end: resolve, fail: reject } satisfies FakeRun);
    const note = (call: string) => () => void calls.push(call);
    return { result: promise, pause: note('pause'), resume: note('resume'), stop: note('stop') };
  },
}));
const { pauseRun, resumeRun, startRun, startRunInTurn, stopRun, useRuns } = await import('./run-store.ts');

const PLAN = { suites: ['rtt'], engines: ['memory'], profile: 'balanced', seed: 1 } as unknown as BenchPlan;
const ORDER = { plan: PLAN, own: null };
const RESULT = madeResult([{ suite: 'rtt', test: 'a', size: 100, times: { memory: 3, 'native-memory': 2 } }]);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const elsewhere = (windowTitle: string | null): void =>
  useStore.setState({ measuringElsewhere: windowTitle === null ? null : { windowTitle, progress: null } });

beforeEach(() => {
  runs.length = fake.saved.length = 0;
  fake.saving = () => null;
  elsewhere(null);
  const tab: BenchmarkTab = { id: 'b', kind: 'benchmark', database: null, choice: null };
  useStore.setState({ tabs: [tab], activeTabId: 'b', libraryVisible: false, notices: [] });
  useRuns.setState({ current: null, unkept: null, failure: null, refused: {}, waiting: null });
});

// What one test leaves running is no run of the next.
afterEach(async () => {
  for (const { end } of runs) end(RESULT);
  await settled();
});

test('a run is kept when it ends, and shown where it was watched', async () => {
  startRun(ORDER);
  expect(useRuns.getState().current).toMatchObject({ again: null, isStopping: false });
  // There is one at a time.
  startRun(ORDER);
  expect(runs).toHaveLength(1);
  runs[0]!.end(RESULT);
  await settled();
  expect(fake.saved).toEqual([[null, RESULT, null, expect.stringMatching(/^Round trips/)]]);
  expect(useRuns.getState()).toMatchObject({ current: null, unkept: null, failure: null });
  expect(useStore.getState().tabs).toMatchObject([{ choice: { run: 'run 1' } }]);
  expect(useStore.getState().measuringHere).toBeNull();
});

test('a run waits for that of another window, and begins as soon as that has ended', () => {
  elsewhere('Window 1');
  startRunInTurn(ORDER);
  expect([runs.length, useRuns.getState().waiting]).toEqual([0, ORDER]);
  elsewhere(null);
  expect([runs.length, useRuns.getState().waiting]).toEqual([1, null]);
});

test('a run for which another window was quicker waits for it, too', async () => {
  startRun(ORDER);
  elsewhere('Window 1');
  runs[0]!.fail(new AppError({ code: 'measuring-elsewhere', message: 'Window 1 is running a benchmark.' }));
  await settled();
  expect(useRuns.getState()).toMatchObject({ current: null, failure: null, waiting: ORDER });
  elsewhere(null);
  expect(runs).toHaveLength(2);
  runs[1]!.end(RESULT);
  await settled();
  expect(fake.saved).toHaveLength(1);
});

test('a run is paused, goes on, and is stopped: what was measured until then is kept', async () => {
  startRun(ORDER);
  pauseRun();
  expect(useRuns.getState().current!.isPaused).toBe(true);
  resumeRun();
  expect(useRuns.getState().current!.isPaused).toBe(false);
  stopRun();
  expect(useRuns.getState().current!.isStopping).toBe(true);
  expect(runs[0]!.calls).toEqual(['pause', 'resume', 'stop']);
  runs[0]!.end(RESULT);
  await settled();
  expect(fake.saved).toHaveLength(1);
});

test('a window that closes stops its run, and waits until that is kept; a run that only waits is given up', async () => {
  elsewhere('Window 1');
  startRunInTurn(ORDER);
  await endWork();
  elsewhere(null);
  expect(runs).toHaveLength(0);

  startRun(ORDER);
  let isClosed = false;
  const closing = endWork().then(() => (isClosed = true));
  expect(runs[0]!.calls).toEqual(['stop']);
  let save!: () => void;
  const saving = new Promise<void>((resolve) => (save = resolve));
  fake.saving = () => saving;
  runs[0]!.end(RESULT);
  await settled();
  expect([fake.saved.length, isClosed]).toEqual([1, false]);
  save();
  await closing;
  expect(useRuns.getState().current).toBeNull();
});

test('what is kept of a run in progress is one run, which its end replaces', async () => {
  startRun(ORDER);
  const unfinished = { ...RESULT, env: { ...RESULT.env, unfinished: true as const } };
  await runs[0]!.services.keep!(unfinished);
  await runs[0]!.services.keep!(unfinished);
  runs[0]!.end(RESULT);
  await settled();
  expect(fake.saved.map(([id, result]) => [id, result])).toEqual([
    [null, unfinished],
    ['run 1', unfinished],
    ['run 1', RESULT],
  ]);
});

test('a result that cannot be kept is not lost, and neither is one without a number', async () => {
  startRun(ORDER);
  fake.saving = () => Promise.reject(new AppError({ code: 'io', message: 'The disk is full.' }));
  runs[0]!.end(RESULT);
  await settled();
  expect(useRuns.getState()).toMatchObject({ current: null, unkept: RESULT });
  expect(JSON.stringify(useStore.getState().notices)).toContain('The disk is full.');

  startRun(ORDER);
  const nothing = {
    ...RESULT,
    cells: RESULT.cells.map((cell) => ({ ...cell, samples: [], status: 'failed' as const })),
  };
  runs[1]!.end(nothing);
  await settled();
  expect(fake.saved).toHaveLength(1);
  expect(useRuns.getState().unkept).toBe(nothing);
});

test('a cell that is measured again takes its place in its run, unless it was stopped before', async () => {
  const again = { id: 'run 7', origin: null, result: RESULT };
  const [cell] = RESULT.cells;
  startRun({ ...ORDER, again });
  // All together at the end.
  expect(runs[0]!.services.keep).toBeUndefined();
  runs[0]!.end({ ...RESULT, cells: [{ ...cell!, samples: [], status: 'stopped' }] });
  await settled();
  expect(fake.saved).toEqual([]);

  startRun({ ...ORDER, again });
  runs[1]!.end({ ...RESULT, cells: [{ ...cell!, samples: [1, 1, 1], median: 1 }] });
  await settled();
  const [[id, result]] = fake.saved as [[string, BenchResult]];
  expect([id, result.cells.map(({ median }) => median)]).toEqual(['run 7', [1, RESULT.cells[1]!.median]]);
  expect(fake.saved).toHaveLength(1);
});

test('a failure is said where the run was', async () => {
  startRun(ORDER);
  runs[0]!.fail(new AppError({ code: 'unavailable', message: 'There is nothing to measure.' }));
  await settled();
  expect(useRuns.getState()).toMatchObject({ current: null, failure: 'There is nothing to measure.' });
});

test('the end of a run that nobody watches is told', async () => {
  startRun(ORDER);
  useStore.setState({ libraryVisible: true });
  runs[0]!.end(RESULT);
  await settled();
  expect(JSON.stringify(useStore.getState().notices)).toContain('The benchmark is done.');
});
