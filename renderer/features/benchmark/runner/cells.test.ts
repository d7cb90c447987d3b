// Whole runs of fake engines: what is judged, what is compared, and what else a failure affects.
import { describe, expect, test } from 'vitest';
import type { EngineId } from '#shared/bench/engines.ts';
import type { TestFacts } from '#shared/bench/protocol.ts';
import { PROFILES } from '#shared/bench/profile.ts';
import type { BenchCell, BenchResult } from '#shared/bench/result.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { cellsOf } from './cells.ts';
import { geomeansOf, withRatios } from './ratios.ts';
import type { BenchUnit, Target, PartFacts, PartSample, RoundKind, RoundOutcome } from './target.ts';
import { RunControl } from './control.ts';
import { mergeResults } from './merge-results.ts';
import { measureUnit } from './measure-unit.ts';

const PLAN: BenchPlan = {
  suites: ['wasm-run'],
  engines: ['opfs-balanced'],
  sizes: null,
  rounds: 5,
  profile: 'balanced',
  quick: false,
  seed: 1,
  tests: null,
};

const FACTS: PartFacts = { statements: [], rows: 3, pragmas: {}, differences: [], fileBytes: null, heapBytes: null };

function testFacts(id: string, sequence: string | null = null): TestFacts {
  return {
    id,
    title: id,
    kind: 'throughput',
    unit: 'ms',
    transaction: 'None.',
    database: 'fresh',
    sequence,
    sizes: null,
    pragmas: {},
    measures: 'engine',
    unavailable: null,
  };
}

const unitOf = (...ids: readonly string[]): BenchUnit => {
  const sequence = ids.length > 1 ? 'all' : null;
  return { suite: 'wasm-run', size: 1_000, tests: ids.map((id) => testFacts(id, sequence)), sequence };
};

interface Made {
  readonly ms: number;
  /** Sample of `test` in call number `call`. */
  readonly sample?: (test: string, kind: RoundKind, call: number) => Partial<PartSample>;
  readonly fails?: { readonly test: string; readonly fromCall: number };
  readonly facts?: Partial<PartFacts>;
}

function made(
  engine: EngineId,
  unit: BenchUnit,
  { ms, sample, fails, facts }: Made,
): Target & { readonly kinds: RoundKind[] } {
  const known = new Map<string, PartFacts>();
  const kinds: RoundKind[] = [];
  return {
    engine,
    facts: known,
    kinds,
    async round(kind): Promise<RoundOutcome> {
      kinds.push(kind);
      const parts: PartSample[] = [];
      for (const { id } of unit.tests) {
        if (fails?.test === id && kinds.length >= fails.fromCall) {
          return { parts, failure: { test: id, status: 'failed', why: 'It broke.' } };
        }
        known.set(id, { ...FACTS, ...facts });
        parts.push({
          test: id,
          samples: [ms],
          timedMs: ms,
          delivered: [ms * 2],
          windowBusyMs: [],
          rows: 3,
          read: kind === 'deep' ? 'deep' : 'shallow',
          left: 'left',
          wrong: null,
          ...sample?.(id, kind, kinds.length),
        });
      }
      return { parts, failure: null };
    },
    close: async () => undefined,
  };
}

async function measured(
  unit: BenchUnit,
  ours: Made,
  theirs: Made = { ms: 2 },
  control = new RunControl(),
): Promise<readonly BenchCell[]> {
  const targets = [made('opfs-balanced', unit, ours), made('native-balanced', unit, theirs)];
  const run = await measureUnit(unit, targets, {
    plan: PLAN,
    control,
    timerStepMs: 0.001,
    units: 1,
    clock: () => 0,
    tell: () => undefined,
  });
  return withRatios(cellsOf({ unit, run, targets, plan: PLAN, sequences: 1 }), PLAN);
}

const ofUs = (cells: readonly BenchCell[], id = 'insert'): BenchCell =>
  cells.find(({ engine, test: name }) => engine === 'opfs-balanced' && name === id)!;

describe('a cell', () => {
  test('has its samples, first use, ratio and what was delivered', async () => {
    const cells = await measured(unitOf('insert'), { ms: 3 });
    expect(ofUs(cells)).toMatchObject({
      status: 'ok',
      why: null,
      samples: [3, 3, 3, 3, 3],
      median: 3,
      firstUse: 3,
      rows: 3,
      checksum: 'deepleft',
      ratio: 1.5,
      ratioLow: 1.5,
      ratioHigh: 1.5,
      deliveredRatio: 1.5,
    });
    expect(cells[1]).toMatchObject({ engine: 'native-balanced', ratio: null });
    expect(geomeansOf(cells, PLAN)).toEqual([
      {
        suite: 'wasm-run',
        engine: 'opfs-balanced',
        ratio: expect.closeTo(1.5),
        ratioLow: expect.closeTo(1.5),
        ratioHigh: expect.closeTo(1.5),
        cells: 1,
      },
    ]);
  });

  test('has a ratio but no interval where two rounds were measured', async () => {
    const cells = await measured(unitOf('insert'), { ms: 3 });
    const few = cells.map((cell) => ({ ...cell, samples: cell.samples.slice(3), delivered: cell.delivered.slice(3) }));
    expect(withRatios(few, PLAN)[0]).toMatchObject({ ratio: 1.5, ratioLow: null, ratioHigh: null });
  });

  test.each([
    [
      'other values',
      { sample: (_: string, kind: RoundKind) => (kind === 'deep' ? { read: 'other' } : {}) },
      /read different values than native-balanced/,
    ],
    [
      'other rows',
      { sample: (_: string, kind: RoundKind) => (kind === 'deep' ? { rows: 4 } : {}) },
      /4 rows instead of 3/,
    ],
    ['another end', { sample: () => ({ left: 'else' }) }, /left different data behind/],
    [
      'rounds that differ',
      { sample: (_: string, _kind: RoundKind, call: number) => ({ read: call > 6 ? 'x' : 'deep' }) },
      /the rounds did not all read the same/,
    ],
    [
      'a table of another length',
      { sample: () => ({ wrong: 't has 2 rows instead of 3' }) },
      /t has 2 rows instead of 3/,
    ],
    [
      'less durability',
      { facts: { differences: [{ pragma: 'synchronous' as const, text: 'synchronous is off instead of normal' }] } },
      /durability settings are not as required/,
    ],
  ])('with %s is void, says why and has no ratio', async (_name, change, why) => {
    const cell = ofUs(await measured(unitOf('insert'), { ms: 1, ...change }));
    expect(cell).toMatchObject({ status: 'void', ratio: null, why: expect.stringMatching(why) });
    expect(cell.samples).toHaveLength(5);
  });

  test('with other settings that are no cheating counts, and says so', async () => {
    const cell = ofUs(
      await measured(unitOf('insert'), {
        ms: 1,
        facts: { differences: [{ pragma: 'mmap_size', text: 'mmap_size is unknown instead of 0' }] },
      }),
    );
    expect(cell).toMatchObject({ status: 'ok', why: expect.stringMatching(/other settings: mmap_size/) });
  });

  test('that failed says why, and the other engine goes on', async () => {
    const cells = await measured(unitOf('insert'), { ms: 1, fails: { test: 'insert', fromCall: 1 } });
    expect(ofUs(cells)).toMatchObject({ status: 'failed', why: 'It broke.', median: null });
    expect(cells[1]).toMatchObject({ status: 'ok', median: 2 });
  });

  test('is compared with nobody when the reference has failed', async () => {
    const cells = await measured(unitOf('insert'), { ms: 1 }, { ms: 1, fails: { test: 'insert', fromCall: 1 } });
    expect(ofUs(cells)).toMatchObject({ status: 'ok', ratio: null });
  });
});

describe('what is no time of an engine', () => {
  test('memory has a ratio, and is in no mean of times', async () => {
    const unit = unitOf('insert');
    const cells = await measured({ ...unit, tests: [{ ...unit.tests[0]!, unit: 'bytes' }] }, { ms: 3 });
    expect(ofUs(cells)).toMatchObject({ unit: 'bytes', ratio: 1.5 });
    expect(geomeansOf(cells, PLAN)).toEqual([]);
  });

  test('a figure of the app as a whole has neither, also beside one of another engine', async () => {
    const unit = unitOf('insert');
    const cells = await measured({ ...unit, tests: [{ ...unit.tests[0]!, scope: 'app' }] }, { ms: 3 });
    expect(ofUs(cells)).toMatchObject({ scope: 'app', median: 3, ratio: null, deliveredRatio: null });
    expect(geomeansOf(cells, PLAN)).toEqual([]);
  });
});

describe('sides that work at once', () => {
  const unit: BenchUnit = {
    ...unitOf('insert'),
    tests: [
      { ...testFacts('reads'), side: 'readers' },
      { ...testFacts('commits'), side: 'writer' },
    ],
  };

  test('have a cell each, no total, and say in which way the engine has done it', async () => {
    const cells = await measured(unit, { ms: 3, facts: { transaction: 'Two threads.' } });
    expect(cells.map(({ test: name, engine, transaction }) => [name, engine, transaction])).toEqual([
      ['reads', 'opfs-balanced', 'Two threads.'],
      ['commits', 'opfs-balanced', 'Two threads.'],
      ['reads', 'native-balanced', 'None.'],
      ['commits', 'native-balanced', 'None.'],
    ]);
  });

  test('count as much in each round, however much got done in it', async () => {
    // Samples per round, starting with the first timed one: 4, 6, 8, 10, 12.
    let timed = 0;
    const sample = (test: string, kind: RoundKind) => {
      if (test !== 'reads' || kind !== 'timed') return {};
      timed++;
      return { samples: Array.from({ length: 2 + 2 * timed }, () => timed) };
    };
    const cell = ofUs(await measured(unit, { ms: 3, sample }), 'reads');
    expect(cell).toMatchObject({ perRound: 4, median: 3, ratio: 1.5 });
    expect(cell.samples).toEqual([1, 2, 3, 4, 5].flatMap((round) => [round, round, round, round]));
  });

  test('fail at once, each with the reason itself', async () => {
    const cells = await measured(unit, { ms: 3, fails: { test: 'reads', fromCall: 1 } });
    for (const id of ['reads', 'commits'])
      expect(ofUs(cells, id)).toMatchObject({ status: 'failed', why: 'It broke.' });
    expect(cells.at(-1)).toMatchObject({ engine: 'native-balanced', status: 'ok' });
  });
});

describe('a sequence', () => {
  test('has a total of its own, which no mean counts', async () => {
    const cells = await measured(unitOf('a', 'b'), { ms: 3 });
    expect(ofUs(cells, 'total')).toMatchObject({ samples: [6, 6, 6, 6, 6], ratio: 1.5, firstUse: 6 });
    expect(geomeansOf(cells, PLAN)[0]!.cells).toBe(2);
  });

  test('ends with the part that fails; those before it keep their numbers', async () => {
    const cells = await measured(unitOf('a', 'b', 'c'), { ms: 3, fails: { test: 'b', fromCall: 1 } });
    expect(ofUs(cells, 'a')).toMatchObject({ status: 'ok', median: 3 });
    expect(ofUs(cells, 'b')).toMatchObject({ status: 'failed', why: 'It broke.' });
    expect(ofUs(cells, 'c')).toMatchObject({ status: 'failed', why: expect.stringMatching(/Not reached: “b”/) });
    expect(ofUs(cells, 'total')).toMatchObject({ status: 'failed', median: null });
  });
});

test('a cell measured again takes its place, and its ratio and the mean follow', async () => {
  const env = { seed: 1, events: [], engines: [] } as unknown as BenchResult['env'];
  const profile = { name: 'balanced', ...PROFILES.balanced } as const;
  const resultOf = (cells: readonly BenchCell[]): BenchResult => ({
    schema: 1,
    env,
    profile,
    cells,
    geomeans: geomeansOf(cells, PLAN),
  });
  const older = resultOf(await measured(unitOf('insert'), { ms: 3 }));
  const again = (await measured(unitOf('insert'), { ms: 1 })).filter(({ engine }) => engine === 'opfs-balanced');
  const merged = mergeResults(older, resultOf(again));
  expect(merged.cells).toHaveLength(2);
  expect(ofUs(merged.cells)).toMatchObject({ median: 1, ratio: 0.5 });
  expect(merged.geomeans[0]!.ratio).toBeCloseTo(0.5);
});

describe('a window that is hidden', () => {
  const hiddenIn = (control: RunControl, calls: readonly number[]) => ({
    ms: 3,
    sample: (_: string, _kind: RoundKind, call: number) => {
      if (calls.includes(call)) {
        control.setHidden(true);
        queueMicrotask(() => control.setHidden(false));
      }
      return { samples: [call] };
    },
  });

  test('is said in the cells whose rounds it was hidden in', async () => {
    const control = new RunControl();
    // Two rounds come before the timed ones, and then some to warm up.
    const cells = await measured(unitOf('insert'), hiddenIn(control, [7, 8]), { ms: 2 }, control);
    expect(ofUs(cells)).toMatchObject({ status: 'ok', why: expect.stringMatching(/hidden in 2 of 5 rounds/) });
    expect(cells[1]!.why).toBeNull();
    expect(ofUs(cells).samples).toHaveLength(5);
  });
});

test('Stop keeps what was measured, and a pause goes on where it was', async () => {
  const control = new RunControl();
  const stopping = {
    ms: 1,
    sample: (_: string, kind: RoundKind, call: number) => (kind === 'timed' && call > 6 ? (control.stop(), {}) : {}),
  };
  const stopped = ofUs(await measured(unitOf('insert'), stopping, { ms: 1 }, control));
  expect(stopped).toMatchObject({ status: 'stopped', why: expect.stringMatching(/Stopped before/) });
  expect(stopped.samples.length).toBeGreaterThan(0);
  expect(stopped.samples.length).toBeLessThan(5);

  const paused = new RunControl();
  paused.pause();
  const cells = measured(unitOf('insert'), { ms: 1 }, { ms: 1 }, paused);
  expect(await Promise.race([cells, Promise.resolve('waiting')])).toBe('waiting');
  paused.resume();
  expect(ofUs(await cells)).toMatchObject({ status: 'ok' });
});
