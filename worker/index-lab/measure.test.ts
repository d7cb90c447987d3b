import { expect, onTestFinished, test, vi } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { measureIndex } from './measure.ts';

const { engine } = await createWasmEngine();
const INDEX = 'CREATE INDEX by_v ON t (v)';

function table(): Connection {
  const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  onTestFinished(() => connection.close());
  connection.run('CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
  connection.run('INSERT INTO t VALUES (1, 1), (2, 2)');
  return connection;
}

/** Each measurement takes as long as the list says, then as its last entry. */
function clockOf(durationsMs: readonly number[]): void {
  let [now, reads] = [0, 0];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    // It is read before and after each measurement.
    if (reads % 2 === 1) now += durationsMs[Math.min((reads - 1) / 2, durationsMs.length - 1)]!;
    reads++;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
}

function measured(sql: string) {
  const steps = measureIndex(table(), { sql, parameters: {}, index: INDEX });
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

test('a writing statement is measured five times, although a busy machine delays it', () => {
  clockOf([0.0625, 32]);
  const { beforeMs, afterMs } = measured('UPDATE t SET v = v + 1');
  expect(beforeMs).toEqual([32, 32, 32, 32, 32]);
  expect(afterMs).toEqual([32, 32, 32, 32, 32]);
});

test('a fast statement that reads is run several times for each measurement', () => {
  clockOf([0.15625, 16]);
  const { beforeMs } = measured('SELECT v FROM t');
  expect(beforeMs).toEqual([0.25, 0.25, 0.25, 0.25, 0.25]);
});

test('a slow statement is run less often', () => {
  clockOf([900]);
  expect(measured('SELECT v FROM t').beforeMs).toEqual([900, 900]);
  clockOf([2_500]);
  expect(measured('DELETE FROM t').beforeMs).toEqual([2_500]);
});
