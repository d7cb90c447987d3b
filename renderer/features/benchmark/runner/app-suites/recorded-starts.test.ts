import { describe, expect, it } from 'vitest';
import type { AppStart, AppStartOrder } from '#shared/bench/shell.ts';
import { RecordedStarts } from './recorded-starts.ts';

/** Each start takes a millisecond more than the one before. */
function made(change: Partial<AppStart> = {}): { readonly starts: RecordedStarts; readonly orders: AppStartOrder[] } {
  const orders: AppStartOrder[] = [];
  const starts = new RecordedStarts(
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
    const { starts, orders } = made();
    expect((await starts.nth('opfs-balanced', 'warm', 1)).rowsMs).toBe(102);
    expect((await starts.nth('opfs-balanced', 'warm', 0)).rowsMs).toBe(101);
    expect((await starts.nth('opfs-balanced', 'cold', 0)).rowsMs).toBe(103);
    expect(orders).toEqual([
      { profile: 'opfs-balanced', comparisonCopy: 'copy-1', way: 'copy', cold: false },
      { profile: 'opfs-balanced', comparisonCopy: 'copy-1', way: 'copy', cold: false },
      { profile: 'opfs-balanced', comparisonCopy: 'copy-1', way: 'copy', cold: true },
    ]);
  });

  it('tell of the window whatever their engine, and more are made only when they do not suffice', async () => {
    const { starts, orders } = made();
    for (const index of [0, 1]) {
      await starts.nth('opfs-balanced', 'warm', index);
      await starts.nth('native-balanced', 'warm', index);
    }
    const times = [];
    for (const index of [0, 1, 2]) times.push((await starts.any('opfs-balanced', 'warm', index)).windowMs);
    // The first one of each profile is not warm yet.
    expect(times).toEqual([3, 4, 5]);
    expect(orders.at(-1)).toMatchObject({ profile: 'opfs-balanced', cold: false });
    expect(orders).toHaveLength(5);
  });

  it('of which all count when they are cold', async () => {
    const { starts, orders } = made();
    expect((await starts.any('native-full', 'cold', 1)).windowMs).toBe(2);
    expect(orders.map(({ way, cold }) => [way, cold])).toEqual([
      ['in-place', true],
      ['in-place', true],
    ]);
  });

  it('fail in words when the app cannot be started, or showed the rows of another engine', async () => {
    const none = new RecordedStarts(
      async () => ({ why: 'No screen.' }),
      async () => 'copy-1',
    );
    await expect(none.nth('opfs-full', 'warm', 0)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'No screen.',
    });
    await expect(made({ isNative: true }).starts.nth('opfs-full', 'warm', 0)).rejects.toThrow(/native engine ran/);
    await expect(made({ isNative: false }).starts.nth('native-full', 'warm', 0)).rejects.toThrow(/without its native/);
  });
});
