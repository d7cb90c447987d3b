import { describe, expect, it } from 'vitest';
import type { EngineId } from '#shared/bench/engines.ts';
import type { AppStart, AppStartOrder } from '#shared/bench/shell.ts';
import { RunControl } from '../target.ts';
import type { RoundKind } from '../target.ts';
import type { Player, StartTest } from './app-tests.ts';
import { appStarts, engineStarts, startPlayer } from './starts.ts';
import type { AppStarts, TakeStart } from './starts.ts';

/** Each start takes a millisecond more than the one before. */
function recorded(change: Partial<AppStart> = {}): {
  readonly starts: AppStarts;
  readonly orders: AppStartOrder[];
} {
  const orders: AppStartOrder[] = [];
  const starts = appStarts(
    async (order) => {
      orders.push(order);
      const isNative = order.way === 'in-place';
      return { windowMs: orders.length, rowsMs: orders.length + 100, firstRow: ['1'], isNative, ...change };
    },
    async () => 'copy-1',
  );
  return { starts, orders };
}

describe('starts of the app', () => {
  it('are made when they are asked for, each once', async () => {
    const { starts, orders } = recorded();
    expect((await starts('opfs-balanced', 'warm', 1)).rowsMs).toBe(102);
    expect((await starts('opfs-balanced', 'warm', 0)).rowsMs).toBe(101);
    expect((await starts('opfs-balanced', 'cold', 0)).rowsMs).toBe(103);
    expect(orders).toEqual([
      { profile: 'opfs-balanced', comparisonCopy: 'copy-1', way: 'copy', cold: false },
      { profile: 'opfs-balanced', comparisonCopy: 'copy-1', way: 'copy', cold: false },
      { profile: 'opfs-balanced', comparisonCopy: 'copy-1', way: 'copy', cold: true },
    ]);
  });

  it('fail in words when the app cannot be started, or showed the rows of another engine', async () => {
    const none = appStarts(
      async () => ({ why: 'No screen.' }),
      async () => 'copy-1',
    );
    await expect(none('opfs-full', 'warm', 0)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'No screen.',
    });
    await expect(recorded({ isNative: true }).starts('opfs-full', 'warm', 0)).rejects.toThrow(/native engine ran/);
    await expect(recorded({ isNative: false }).starts('native-full', 'warm', 0)).rejects.toThrow(/without its native/);
  });
});

describe('a round of the start', () => {
  const player = (test: StartTest, starts: AppStarts): Player =>
    startPlayer(test, 'opfs-full', starts, new RunControl());

  const samples = async (player: Player, kinds: readonly RoundKind[]): Promise<readonly number[]> => {
    const seen = [];
    for (const kind of kinds) seen.push(...(await player.play(0, kind)).samples);
    return seen;
  };

  it.each([
    ['warm', 'rows', 'window', 3],
    ['cold', 'rows-cold', 'window-cold', 2],
  ] as const)('that is %s takes the window from the starts of its rows', async (_warmth, rows, window, made) => {
    const { starts, orders } = recorded();
    const kinds = ['first', 'warm', 'timed', 'timed'] as const;
    const ofRows = await samples(player(rows, starts), kinds);
    expect(await samples(player(window, starts), kinds)).toEqual(ofRows.map((ms) => ms - 100));
    expect(orders).toHaveLength(made);
  });
});

const control = new RunControl();

/** Each start takes a millisecond more than the one before. */
function countedEngines(): { readonly starts: (engine: EngineId) => TakeStart; readonly made: EngineId[] } {
  const made: EngineId[] = [];
  const starts = engineStarts(async (engine) => {
    made.push(engine);
    return { ms: 100 + made.length, codeMs: made.length };
  });
  return { starts, made };
}

async function taken(take: TakeStart, kinds: readonly RoundKind[]): Promise<number[]> {
  const seen = [];
  for (const kind of kinds) seen.push((await take(kind, control)).codeMs);
  return seen;
}

describe('starts of an engine', () => {
  it('serve every test, however long each warms up', async () => {
    const { starts, made } = countedEngines();
    const [ofEngine, ofCode] = [starts('opfs-full'), starts('opfs-full')];
    expect(await taken(ofEngine, ['first', 'warm', 'timed', 'timed'])).toEqual([1, 2, 3, 4]);
    expect(await taken(ofCode, ['first', 'warm', 'warm', 'timed', 'timed', 'timed'])).toEqual([1, 2, 5, 3, 4, 6]);
    expect(made).toHaveLength(6);
  });

  it('serve one engine only', async () => {
    const { starts, made } = countedEngines();
    expect(await taken(starts('opfs-full'), ['timed'])).toEqual([1]);
    expect(await taken(starts('native-full'), ['timed'])).toEqual([2]);
    expect(made).toEqual(['opfs-full', 'native-full']);
  });
});
