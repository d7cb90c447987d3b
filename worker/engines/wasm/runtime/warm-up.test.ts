// The warm-up gives way to everything else and leaves nothing behind.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Connection } from '../../engine.ts';
import { warmUp } from './warm-up.ts';
import { createWasmEngine, IN_MEMORY } from '../wasm-engine.ts';

// The clock continues: only timers wait for us.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  // A busy machine lengthens slices, and there would be fewer of them: here a millisecond passes each time the clock is read.
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++nowMs);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function run(wantedSlices: number): Promise<{ slices: number; db: Connection | null }> {
  const { engine } = await createWasmEngine();
  let slices = 0;
  let db: Connection | null = null;
  const done = warmUp(
    () => (db = engine.open(IN_MEMORY, { durability: 'balanced', create: true })),
    () => ++slices <= wantedSlices,
  );
  await vi.runAllTimersAsync();
  await done;
  return { slices, db };
}

test('works in short slices, then closes what it opened', async () => {
  const { slices, db } = await run(Infinity);
  expect(slices).toBeGreaterThan(10);
  expect(() => db!.one('SELECT 1')).toThrow(expect.objectContaining({ code: 'disconnected' }));
});

test('ends with the slice in which something else is wanted', async () => {
  const { slices, db } = await run(3);
  expect(slices).toBe(4);
  expect(() => db!.one('SELECT 1')).toThrow(expect.objectContaining({ code: 'disconnected' }));
});

test('does not even begin when a database was opened meanwhile', async () => {
  const { db } = await run(0);
  expect(db).toBeNull();
});
