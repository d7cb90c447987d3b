// Asynchronous engines: every execution is awaited, and one that would hold up a run for minutes is given up.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sink } from '#shared/bench/sink.ts';
import { read, run, times } from '../program.ts';
import { performAsync } from './database.ts';
import type { AsyncCalls } from './database.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Each execution takes `ms` of a clock that only it moves. */
function slowEngine(ms: number, done: string[]): AsyncCalls {
  const statement = {
    async run() {
      done.push('run');
      vi.advanceTimersByTime(ms);
      return 2;
    },
    async read(_params: unknown, sink: { value(value: unknown): void; endRow(): void }) {
      done.push('read');
      vi.advanceTimersByTime(ms);
      sink.value(1);
      sink.endRow();
    },
    finalize: async () => void done.push('finalize'),
  };
  return { exec: async () => undefined, prepare: async () => (done.push('prepare'), statement) };
}

test('a statement is prepared once or each time, and what it changed and read is told', async () => {
  const done: string[] = [];
  const sink = new Sink(false);
  await performAsync(slowEngine(0, done), run('INSERT', times(3)), { sink, laps: null });
  expect(done).toEqual(['prepare', 'run', 'run', 'run', 'finalize']);
  expect(sink.rows).toBe(6);
  done.length = 0;
  await performAsync(slowEngine(0, done), read('SELECT', times(2), 'each'), { sink, laps: null });
  expect(done).toEqual(['prepare', 'read', 'finalize', 'prepare', 'read', 'finalize']);
  expect(sink.rows).toBe(8);
});

test('an engine too slow for its step is given up with what it did in the meantime', async () => {
  const done: string[] = [];
  const steps = performAsync(slowEngine(200, done), run('INSERT', times(1_000), 'each'), {
    sink: new Sink(false),
    laps: null,
  });
  await expect(steps).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('After 10 s it had done 51 of 1,000 executions, 200 ms each'),
  });
});
