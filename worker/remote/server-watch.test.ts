import { beforeEach, expect, it, vi } from 'vitest';
import { fakeClock } from '../sessions/fake-clock.test-suite.ts';
import type { FakeClock } from '../sessions/fake-clock.test-suite.ts';
import type { Listening } from '../engines/remote/network/blocking-http.ts';
import { PAUSE_PER_TRIP, POLL_MS, REPORT_EVERY_MS, ServerWatch, RETRY_MS } from './server-watch.ts';
import type { CountingConnection } from './server-watch.ts';

/** Stream of changes that the server would send for one table. */
interface Stream {
  readonly table: string;
  readonly beganMs: number;
  state: Listening['state'];
  heard: number;
  isEnded: boolean;
}

let clock: FakeClock;
/** When the server was asked. */
let asked: number[];
let version: number;
let schema: number;
/** How long a request takes, and all of them have taken. */
let trip: number;
let waited: number;
let isUp: boolean;
let isFree: boolean;
let shown: string[];
let streams: Stream[];
let written: string | null;
let rows: { read: number; written: number };
const changed = vi.fn<(schema: boolean) => void>();
const counted = vi.fn<(counts: { readonly read: number; readonly written: number }) => void>();
const wrote = vi.fn<(index: string) => void>();
const held = vi.fn<(why: string | null) => void>();

beforeEach(() => {
  vi.clearAllMocks();
  clock = fakeClock();
  asked = [];
  [version, schema] = [7, 3];
  [trip, waited] = [0, 0];
  isUp = true;
  isFree = true;
  shown = [];
  streams = [];
  written = null;
  rows = { read: 0, written: 0 };
});

function watch(): ServerWatch {
  const connection = {
    get dataVersion() {
      asked.push(clock.now() + waited);
      waited += trip;
      if (!isUp) throw new Error('gone');
      return version;
    },
    get schemaVersion() {
      return schema;
    },
    get rowsTouched() {
      return { ...rows };
    },
    whyReadOnly: null,
    get writtenIndex() {
      return written;
    },
    listen(table: string): Listening {
      const stream: Stream & Listening = {
        ...{ table, beganMs: clock.now(), state: 'beginning', heard: 0, isEnded: false },
        end: () => void (stream.isEnded = true),
      };
      streams.push(stream);
      return stream;
    },
  };
  const now = (): number => clock.now() + waited;
  return new ServerWatch(
    connection as unknown as CountingConnection,
    { ...clock, now },
    {
      isFree: () => isFree,
      shownTables: () => shown,
      changed,
      counted,
      held,
      wrote,
    },
  );
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

it('leaves a person who edits far from the server four fifths of the time', () => {
  trip = 2_000;
  const watching = watch();
  for (let second = 0; second < 600; second++) {
    watching.hurry();
    pass(1_000);
  }
  const pauses = asked.slice(1).map((at, index) => at - asked[index]! - trip);
  expect(pauses.length).toBeGreaterThan(50);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(PAUSE_PER_TRIP * trip);
  expect(Math.max(...pauses)).toBeLessThan(PAUSE_PER_TRIP * trip + 1_500);
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

it('tells rows that others have changed from a schema that they have changed', () => {
  watch();
  pass(1_000);
  version = 8;
  pass(POLL_MS.most);
  expect(changed.mock.calls).toEqual([[false]]);
  [version, schema] = [9, 4];
  pass(POLL_MS.most);
  expect(changed.mock.calls).toEqual([[false], [true]]);
  version = 10;
  pass(POLL_MS.most);
  expect(changed.mock.calls).toEqual([[false], [true], [false]]);
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

const open = (): readonly string[] => streams.filter(({ isEnded }) => !isEnded).map(({ table }) => table);

it('listens to the tables that are shown, each as long as it is', () => {
  shown = ['item', 'big'];
  const watching = watch();
  pass(500);
  expect(open()).toEqual(['item', 'big']);
  shown = ['big'];
  pass(250);
  expect(open()).toEqual(['big']);
  shown = [];
  pass(250);
  expect(open()).toEqual([]);
  shown = Array.from({ length: 20 }, (_, at) => `t${at}`);
  pass(250);
  expect(open()).toHaveLength(6);
  watching.end();
  expect(open()).toEqual([]);
});

it('asks once it hears of a change, and every two seconds where changes never cease', () => {
  shown = ['item'];
  watch();
  pass(250);
  streams[0]!.state = 'on';
  pass(10 * 60_000 + 10_000);
  const idle = asked.length;
  pass(5_000);
  expect(asked).toHaveLength(idle);
  version = 8;
  streams[0]!.heard++;
  pass(250);
  expect(changed).toHaveBeenCalledTimes(1);
  const from = asked.length;
  for (let left = 60_000; left > 0; left -= 250) {
    streams[0]!.heard += 100;
    pass(250);
  }
  expect(asked.length - from).toBeLessThanOrEqual(60_000 / POLL_MS.least);
  expect(asked.length - from).toBeGreaterThan(25);
  expect(streams).toHaveLength(1);
});

it('asks once a stream has begun: what changed before is not reported', () => {
  watch();
  pass(10 * 60_000 + 10_000);
  shown = ['item'];
  version = 8;
  pass(500);
  expect(changed).not.toHaveBeenCalled();
  streams[0]!.state = 'on';
  pass(250);
  expect(changed).toHaveBeenCalledTimes(1);
});

it('goes on asking while streams end or are refused, and tries them again less and less', () => {
  shown = ['item'];
  watch();
  let seen = 0;
  const endAll = (state: 'ended' | 'refused', ms: number): number[] => {
    for (let left = ms; left > 0; left -= 250) {
      for (const stream of streams.slice(seen)) stream.state = state;
      seen = streams.length;
      pass(250);
    }
    return streams.slice(1).map(({ beganMs }, at) => beganMs - streams[at]!.beganMs);
  };
  const pauses = endAll('ended', 60 * 60_000);
  expect(pauses.every((pause, at) => at === 0 || pause >= Math.min(pauses[at - 1]! * 1.9, RETRY_MS.most))).toBe(true);
  expect(streams.length).toBeLessThan(15);
  expect(asked.length).toBeGreaterThan(55);
  // One that lasted is begun again soon.
  pass(RETRY_MS.most);
  streams.at(-1)!.state = 'on';
  pass(120_000);
  streams.at(-1)!.state = 'ended';
  const before = streams.length;
  pass(RETRY_MS.least + 500);
  expect(streams).toHaveLength(before + 1);
  streams.at(-1)!.state = 'refused';
  pass(RETRY_MS.most - 1_000);
  expect(streams).toHaveLength(before + 1);
  pass(2_000);
  expect(streams).toHaveLength(before + 2);
});

it('begins anew with another token', () => {
  shown = ['item'];
  const watching = watch();
  pass(250);
  streams[0]!.state = 'refused';
  pass(5_000);
  expect(open()).toEqual([]);
  watching.tokenChanged();
  pass(250);
  expect(open()).toEqual(['item']);
});

it('reports the state after the last write, not more often than it is worth, and at the end', () => {
  const watching = watch();
  pass(1_000);
  expect(wrote).not.toHaveBeenCalled();
  for (let n = 1; n <= 40; n++) {
    written = String(n);
    pass(250);
  }
  expect(wrote.mock.calls.length).toBeGreaterThanOrEqual(10);
  expect(wrote.mock.calls.length).toBeLessThanOrEqual(10_000 / REPORT_EVERY_MS + 1);
  written = '41';
  watching.end();
  expect(wrote).toHaveBeenLastCalledWith('41');
});
