// Units of several tests, measured with fake engines: sides at once, sequences, a hidden window, Stop and pause.
import { describe, expect, test } from 'vitest';
import { measured, ofUs, PLAN, testFacts, unitOf } from './cells-fixture.test-suite.ts';
import { RunControl } from './target.ts';
import type { BenchUnit, RoundKind } from './target.ts';
import { geomeansOf } from './cells.ts';

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
