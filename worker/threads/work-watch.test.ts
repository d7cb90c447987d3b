import { beforeEach, expect, it, vi } from 'vitest';
import type { Work } from '#shared/protocol/session.ts';
import { WorkStatusBuffer } from './work-status-buffer.ts';
import type { PostedEntry } from './work-status-buffer.ts';
import { WorkWatch } from './work-watch.ts';

let now: number;
let look: (() => void) | null;
let told: (readonly Work[])[];
let workStatus: WorkStatusBuffer;
let watch: WorkWatch;
let nextId: number;

beforeEach(() => {
  [now, look, told, nextId] = [1000, null, [], 1];
  workStatus = new WorkStatusBuffer();
  watch = new WorkWatch(workStatus, {
    now: () => now,
    every: (_intervalMs, action) => {
      look = action;
      return () => (look = null);
    },
    tell: (works) => told.push(works),
  });
});

/** Begins work like the worker does. */
function begin(windowId = 'w', call = 0): PostedEntry {
  const id = nextId++;
  const entry = workStatus.post({
    id,
    call,
    databaseName: 'a',
    rowsOf: null,
    windowId,
    windowTitle: windowId,
    title: `work ${id}`,
    startedAtMs: now,
  });
  if (workStatus.needsCall()) watch.wake();
  return entry!;
}

function pass(ms: number): void {
  now += ms;
  look?.();
}

/** Calls `inside` after the first such step of `body`, once. */
function during(step: 'add' | 'store', body: () => void, inside: () => void): void {
  const real = Atomics[step] as (...args: unknown[]) => unknown;
  const spy = vi.spyOn(Atomics as unknown as Record<string, typeof real>, step).mockImplementation((...args) => {
    const result = real(...args);
    spy.mockRestore();
    inside();
    return result;
  });
  body();
}

const titles = (): string[][] => told.map((works) => works.map(({ title }) => title));

it('tells of what takes long, and of its end, and looks no more', () => {
  const entry = begin();
  pass(100);
  expect(told).toEqual([]);
  pass(100);
  pass(100);
  entry.clear();
  pass(50);
  expect(titles()).toEqual([['work 1'], []]);
  expect(look).toBeNull();
  begin();
  expect(look).not.toBeNull();
});

it('says nothing of what was short', () => {
  begin().clear();
  pass(200);
  expect(told).toEqual([]);
});

it('tells how far it is whenever that changes', () => {
  const entry = begin();
  pass(200);
  entry.show({ phase: 'Copying', done: 1, total: 2, unit: 'bytes' });
  pass(50);
  pass(50);
  expect(told.map(([work]) => work!.progress?.done)).toEqual([undefined, 1]);
});

it('says since when something is asked to stop', () => {
  const entry = begin();
  pass(200);
  watch.stop(1);
  pass(50);
  watch.stop(1);
  pass(50);
  expect(entry.stopRequested).toBe(true);
  expect(told.at(-1)).toMatchObject([{ stopAskedAtMs: 1200 }]);
  expect(told).toHaveLength(2);
});

it('stops what is done for a call of a window, and nothing else', () => {
  const [own, other, foreign] = [begin('w', 5), begin('w', 6), begin('v', 5)];
  watch.stopCall('w', 5);
  expect([own, other, foreign].map(({ stopRequested }) => stopRequested)).toEqual([true, false, false]);
});

it('stops the second part of a call that was between two when it was asked', () => {
  const busy = begin('v', 1);
  watch.stopCall('w', 5);
  const second = begin('w', 5);
  pass(50);
  expect([busy.stopRequested, second.stopRequested]).toEqual([false, true]);
});

it('a window that was loaded anew counts its calls from the beginning', () => {
  watch.stopCall('w', 5);
  watch.forget('w');
  const later = begin('w', 5);
  pass(50);
  expect(later.stopRequested).toBe(false);
});

it('what begins just when it stops looking is not missed', () => {
  const entry = begin();
  pass(200);
  entry.clear();
  const setWatched = workStatus.setWatched.bind(workStatus);
  workStatus.setWatched = (isWatched) => {
    workStatus.setWatched = setWatched;
    begin();
    setWatched(isWatched);
  };
  pass(50);
  pass(200);
  expect(titles().at(-1)).toEqual(['work 2']);
});

it('a buffer that something is just being posted on is not empty, although nothing is seen of it', () => {
  let seen: unknown[] = [];
  during('add', begin, () => {
    seen = [workStatus.read(), workStatus.isEmpty];
  });
  expect(seen).toEqual([[], false]);
});

it('what is being written when it is looked at is as it was before, and keeps its stop', () => {
  const entry = begin();
  pass(200);
  watch.stop(1);
  pass(50);
  during(
    'store',
    () => entry.show({ phase: 'Copying', done: 1, total: 2, unit: 'bytes' }),
    () => pass(50),
  );
  expect(told.at(-1)).toMatchObject([{ id: 1, progress: null, stopAskedAtMs: 1200 }]);
  expect(told).toHaveLength(2);
});

it('the worker calls once until it has been looked at', () => {
  const worker = new WorkStatusBuffer(workStatus.memory);
  expect([worker.needsCall(), worker.needsCall()]).toEqual([true, false]);
  watch.wake();
  expect(worker.needsCall()).toBe(false);
  pass(50); // nothing runs: polling stops
  expect([worker.needsCall(), worker.needsCall()]).toEqual([true, false]);
});

it('a call that comes late from a worker that has ended shows nothing of it', () => {
  begin();
  pass(200);
  watch.end();
  const before = told.length;
  watch.wake();
  watch.stopCall('w', 0);
  expect(told).toHaveLength(before);
  expect(look).toBeNull();
});

it('when the worker has ended nobody looks any more, and what it was ended for stays told', () => {
  begin();
  pass(200);
  watch.end();
  expect(told.at(-1)).toMatchObject([{ id: 1 }]);
  expect(look).toBeNull();
});
