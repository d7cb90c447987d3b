import { beforeEach, expect, it, vi } from 'vitest';
import { fakeClock } from '../sessions/fake-clock.test-suite.ts';
import type { FakeClock } from '../sessions/fake-clock.test-suite.ts';
import { POLL_MS, ServerWatch } from './server-watch.ts';
import type { CountingConnection } from './server-watch.ts';

let clock: FakeClock;
/** When the server was asked. */
let asked: number[];
let version: number;
let isUp: boolean;
let isFree: boolean;
let rows: { read: number; written: number };
const changed = vi.fn<(schema: boolean) => void>();
const counted = vi.fn<(counts: { readonly read: number; readonly written: number }) => void>();
const held = vi.fn<(why: string | null) => void>();

beforeEach(() => {
  vi.clearAllMocks();
  clock = fakeClock();
  asked = [];
  version = 7;
  isUp = true;
  isFree = true;
  rows = { read: 0, written: 0 };
});

function watch(): ServerWatch {
  const connection = {
    get dataVersion() {
      asked.push(clock.now());
      if (!isUp) throw new Error('gone');
      return version;
    },
    get rowsTouched() {
      return { ...rows };
    },
    whyReadOnly: null,
  };
  return new ServerWatch(connection as unknown as CountingConnection, clock, {
    isFree: () => isFree,
    changed,
    counted,
    held,
  });
}

function pass(ms: number): void {
  for (let left = ms; left > 0; left -= 250) clock.advance(250);
}

it('asks less and less where nothing changes, and soon again after a change', () => {
  watch();
  pass(10 * 60_000);
  const pauses = asked.slice(1).map((at, index) => at - asked[index]!);
  expect(pauses.slice(0, 5)).toEqual([4_000, 8_000, 16_000, 32_000, 60_000]);
  expect(Math.max(...pauses)).toBe(POLL_MS.most);
  expect(changed).not.toHaveBeenCalled();
  version = 8;
  const noticed = asked.length;
  pass(POLL_MS.most + POLL_MS.least);
  expect(changed).toHaveBeenCalledTimes(1);
  expect(asked[noticed + 1]! - asked[noticed]!).toBe(POLL_MS.least);
});

it('asks nothing while no window shows the database or work runs, and soon once someone works with it', () => {
  isFree = false;
  const watching = watch();
  pass(60_000);
  expect(asked).toEqual([]);
  isFree = true;
  pass(60_000);
  const before = asked.length;
  watching.hurry();
  pass(POLL_MS.least + 250);
  expect(asked.length).toBeGreaterThan(before);
  watching.end();
  const atEnd = asked.length;
  pass(600_000);
  expect(asked).toHaveLength(atEnd);
});

it('a server that was gone has changed if its version has', () => {
  watch();
  pass(1_000);
  isUp = false;
  pass(60_000);
  expect(changed).not.toHaveBeenCalled();
  [isUp, version] = [true, 9];
  pass(120_000);
  expect(changed).toHaveBeenCalledTimes(1);
});

it('tells what requests cost once it changes', () => {
  watch();
  pass(1_000);
  expect(counted).toHaveBeenCalledTimes(1);
  rows = { read: 500, written: 2 };
  pass(1_000);
  expect(counted).toHaveBeenCalledTimes(2);
  expect(counted).toHaveBeenLastCalledWith({ read: 500, written: 2 });
});
