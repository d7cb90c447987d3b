// The scheduler: whose turn it is on a connection.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import { processorMsOf } from '#shared/processor-time.test-suite.ts';
import { a, b, c, reading, schedulerFixture } from './scheduler-fixture.test-suite.ts';
import type { Pause, WorkKind } from './session.ts';
import type { Slice } from './task.ts';

it('a turn costs the same however many wait', async () => {
  const { scheduler, once, clock } = schedulerFixture();
  const lane = {};
  const results = Array.from({ length: 20_000 }, (_, index) => once(lane, index % 2 ? 'write' : 'read', 'x').result);
  clock.advance(1000); // past the time that writes wait
  expect(await processorMsOf(() => Promise.all(results))).toBeLessThan(5000);
  expect(scheduler.idle).toBe(true);
});

describe('whose turn it is', () => {
  it('keeps the order within a window and lets windows take turns', async () => {
    const { once, log } = schedulerFixture();
    const all = [
      once(a, 'write', 'a1'),
      once(a, 'read', 'a2'),
      once(a, 'write', 'a3'),
      once(b, 'read', 'b1'),
      once(c, 'write', 'c1'),
    ];
    await Promise.all(all.map(({ result }) => result));
    expect(log).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('lets other windows read between the pages of a long read', async () => {
    const { once, steps, log } = schedulerFixture();
    const long = steps(a, 'read', 'L', reading(4));
    const short = once(b, 'read', 'r');
    await Promise.all([long.result, short.result]);
    expect(log.indexOf('r')).toBeLessThan(log.indexOf('L1'));
    expect(log.at(-1)).toBe('L!');
  });

  it('never writes while a statement is half read, and reads pass the waiting write', async () => {
    const { once, steps, log } = schedulerFixture();
    const long = steps(a, 'read', 'L', reading(3));
    const write = once(b, 'write', 'W');
    const read = once(b, 'read', 'r');
    await Promise.all([long.result, write.result, read.result]);
    expect(log.indexOf('W')).toBe(log.indexOf('L!') + 1);
    expect(log.indexOf('r')).toBeLessThan(log.indexOf('W'));
  });

  it('writes between the steps of a script that has no transaction open', async () => {
    const { once, steps, log } = schedulerFixture();
    const script = steps(a, 'write', 'S', ['between', 'between', 'between']);
    const write = once(b, 'write', 'W');
    await Promise.all([script.result, write.result]);
    expect(log.indexOf('W')).toBeLessThan(log.indexOf('S1'));
  });

  it('waits for the end of a script that paused inside its transaction', async () => {
    const { once, steps, log, state } = schedulerFixture();
    const script = steps(
      a,
      'write',
      'S',
      ['between', 'between', 'between'],
      (step) => (state.inTransaction = step < 2),
    );
    const write = once(b, 'write', 'W');
    await Promise.all([script.result, write.result]);
    expect(log.indexOf('W')).toBe(log.indexOf('S2') + 1);
  });

  it('lets a write in before reads that would begin once it has waited long enough', async () => {
    const { clock, steps, once, log } = schedulerFixture();
    const first = steps(a, 'read', 'L', reading(6), () => clock.advance(40));
    const write = once(b, 'write', 'W');
    const later = steps(c, 'read', 'M', reading(2), () => clock.advance(200));
    const last = steps(c, 'read', 'N', reading(2));
    await Promise.all([first.result, write.result, later.result, last.result]);
    expect(log.indexOf('W')).toBeLessThan(log.indexOf('N0'));
  });

  it('answers short reads with pauses while a write that has waited long enough waits for a long read', async () => {
    const { clock, steps, once, log } = schedulerFixture();
    let page: Promise<unknown> | undefined;
    const long = steps(a, 'read', 'L', reading(8), (step) => {
      clock.advance(60);
      if (step === 4) page = steps(c, 'read', 'P', ['between']).result;
    });
    const write = once(b, 'write', 'W');
    await Promise.all([long.result, write.result]);
    await page;
    expect(log.indexOf('P!')).toBeLessThan(log.indexOf('L!'));
    expect(log.indexOf('W')).toBe(log.indexOf('L!') + 1);
  });

  it('lets long reads begin while a write waits for an export, which they do not prolong', async () => {
    const { scheduler, clock, steps, once, log } = schedulerFixture();
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slice: Slice = { deadlineMs: 0, stopRequested: false, pauseUntil: null };
    const body = function* (): Generator<Pause, void> {
      slice.pauseUntil = gate;
      yield 'reading';
    };
    const file = scheduler.add({ lane: a, kind: 'file', name: 'F', slice, body });
    const write = once(b, 'write', 'W');
    await once(c, 'read', 'r').result;
    clock.advance(1000);
    await steps(c, 'read', 'M', reading(2)).result;
    expect(log).not.toContain('W');
    release();
    await Promise.all([file.result, write.result]);
  });

  it('gives short slices only while someone waits', async () => {
    const { clock, steps, once } = schedulerFixture();
    const lengths: number[] = [];
    const long = steps(a, 'read', 'L', reading(3), () => lengths.push(long.slice.deadlineMs - clock.now()));
    await new Promise((resolve) => setImmediate(resolve));
    const other = steps(b, 'read', 'M', reading(4));
    await Promise.all([long.result, other.result, once(c, 'read', 'r').result]);
    expect(lengths[0]).toBeGreaterThan(lengths[1]!);
  });

  it('a body that waits for something slower gets no turn before that is there', async () => {
    const { scheduler, once, log } = schedulerFixture();
    let release!: () => void;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const slice: Slice = { deadlineMs: 0, stopRequested: false, pauseUntil: null };
    const file = scheduler.add({
      lane: a,
      kind: 'file',
      name: 'F',
      slice,
      *body() {
        log.push('F0');
        slice.pauseUntil = gate;
        yield 'reading';
        log.push('F!');
      },
    });
    const write = once(b, 'write', 'W');
    await once(c, 'read', 'r').result;
    expect(log).toEqual(['F0', 'r']);
    release();
    await Promise.all([file.result, write.result]);
    expect(log).toEqual(['F0', 'r', 'F!', 'W']);
  });
});

it('whatever is asked: all of it ends, in order within a window, and no write falls into a half-read statement', async () => {
  const work = fc.record({
    lane: fc.constantFrom(a, b, c),
    kind: fc.constantFrom<WorkKind>('read', 'write', 'file'),
    pauses: fc.array(fc.constantFrom<Pause>('reading', 'between'), { maxLength: 5 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(work, { maxLength: 14 }), async (works) => {
      const { scheduler, clock } = schedulerFixture();
      let halfRead = 0;
      const begun: number[] = [];
      const results = works.map(({ lane, kind, pauses }, index) => {
        const slice: Slice = { deadlineMs: 0, stopRequested: false, pauseUntil: null };
        return scheduler.add({
          lane,
          kind,
          name: String(index),
          slice,
          *body() {
            begun.push(index);
            for (const pause of pauses) {
              if (kind === 'write') expect(halfRead).toBe(0);
              clock.advance(30);
              if (pause === 'reading') halfRead++;
              yield pause;
              if (pause === 'reading') halfRead--;
            }
            if (kind === 'write') expect(halfRead).toBe(0);
          },
        }).result;
      });
      await Promise.all(results);
      expect(scheduler.idle).toBe(true);
      for (const lane of [a, b, c]) {
        const writes = begun.filter((index) => works[index]!.lane === lane && works[index]!.kind !== 'read');
        expect(writes).toEqual([...writes].sort((x, y) => x - y));
      }
    }),
    { seed: 20261121, numRuns: seedCount(300) },
  );
});

it('nothing else runs while a body pauses alone, and everything after it', async () => {
  const { steps, once, log } = schedulerFixture();
  const change = steps(a, 'write', 'change', ['alone', 'alone', 'between'], (step) => {
    if (step === 0) void [once(b, 'read', 'b'), once(a, 'read', 'a'), once(c, 'write', 'c')];
  });
  await change.result;
  expect(log.slice(0, 3)).toEqual(['change0', 'change1', 'change2']);
  expect(log.toSorted()).toEqual(['a', 'b', 'c', 'change!', 'change0', 'change1', 'change2']);
});
