// Whose turn it is to measure, as the windows of an app hear of it, and what is asked before a measurement ends.
import { beforeEach, expect, test, vi } from 'vitest';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

interface Asked {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

const fake = vi.hoisted(() => ({
  windows: [] as unknown[],
  told: [] as unknown[][],
  front: [] as number[],
  asked: [] as unknown[],
  answer: null as unknown,
}));
vi.mock('electron', () => ({
  dialog: {
    showMessageBox: (_window: unknown, options: unknown) => {
      fake.asked.push(options);
      return new Promise((resolve) => (fake.answer = (response: number) => resolve({ response })));
    },
  },
}));
vi.mock('../windows/registry.ts', () => ({
  bringToFront: ({ number }: AppWindow) => fake.front.push(number),
  windowTitle: ({ number }: AppWindow) => `Window ${number}`,
  tell: ({ number }: AppWindow, channel: string, make: () => unknown) => {
    fake.told.push([number, channel, make()]);
    return Promise.resolve(true);
  },
}));
const { BenchTurn } = await import('./bench-turn.ts');

const [first, second] = [1, 2].map((number) => ({ number }) as AppWindow) as [AppWindow, AppWindow];
const windows = {
  get all() {
    return fake.windows;
  },
} as unknown as AppWindows;
const answer = (response: 0 | 1): void => (fake.answer as (response: number) => void)(response);
const asked = (): readonly Asked[] => fake.asked as Asked[];
const PROGRESS = { text: 'insert, 100 rows', share: 0.259, secondsLeft: 7 };

beforeEach(() => {
  Object.assign(fake, { windows: [first, second], told: [], front: [], asked: [], answer: null });
});

test('one window measures at a time: others hear which and how far it is, and when it has ended', () => {
  const turn = new BenchTurn(windows);
  turn.follow(second);
  expect(turn.take(first)).toBeNull();
  expect(turn.take(second)).toEqual({ windowTitle: 'Window 1', progress: null });
  turn.tell(first, PROGRESS);
  // Only of the one that measures.
  turn.tell(second, { ...PROGRESS, share: 0.9 });
  turn.give(second);
  expect([turn.isOf(first), turn.isOf(second)]).toEqual([true, false]);
  expect(turn.take(second)).toEqual({ windowTitle: 'Window 1', progress: PROGRESS });
  turn.give(first);
  expect(fake.told).toEqual([
    [2, 'bench.elsewhere', null],
    [2, 'bench.elsewhere', { windowTitle: 'Window 1', progress: null }],
    [2, 'bench.elsewhere', { windowTitle: 'Window 1', progress: PROGRESS }],
    [2, 'bench.elsewhere', null],
  ]);
  expect(turn.take(second)).toBeNull();
});

test('another window leads to the one that measures, and shows the benchmark there', () => {
  const turn = new BenchTurn(windows);
  turn.show();
  turn.take(first);
  turn.show();
  expect([fake.front, fake.told]).toEqual([[1], [[1, 'menu.chosen', 'benchmark.show']]]);
});

test('the window that measures is asked about before it closes, once, and goes only if that is wanted', async () => {
  const turn = new BenchTurn(windows);
  expect(await turn.mayEnd(first, 'Close')).toBe(true);
  turn.take(first);
  turn.tell(first, PROGRESS);
  expect(await turn.mayEnd(second, 'Close')).toBe(true);
  expect(asked()).toEqual([]);
  const both = [turn.mayEnd(first, 'Close'), turn.mayEnd(first, 'Close')];
  expect(asked()).toMatchObject([
    {
      message: 'Window 1 is running a benchmark. Stop it?',
      detail: '25% is done. The results so far are kept with the runs; the rest is not measured.',
      buttons: ['Stop and Close', 'Continue Benchmark'],
      // The button that Enter or Escape chooses.
      defaultId: 1,
      cancelId: 1,
    },
  ]);
  answer(1);
  expect(await Promise.all(both)).toEqual([false, false]);
  const again = turn.mayEnd(first, 'Close');
  answer(0);
  expect(await again).toBe(true);
});

test('quitting asks about whichever window measures, and not any more if that has ended meanwhile', async () => {
  const turn = new BenchTurn(windows);
  expect(await turn.mayEnd(null, 'Quit')).toBe(true);
  turn.take(second);
  const may = turn.mayEnd(null, 'Quit');
  expect([asked().map(({ buttons }) => buttons[0]), fake.front]).toEqual([['Stop and Quit'], [2]]);
  turn.give(second);
  answer(1);
  expect(await may).toBe(true);
});
