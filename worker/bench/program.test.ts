import { expect, test } from 'vitest';
import { Sink } from '#shared/bench/sink.ts';
import { performAsync } from './drivers/database.ts';
import { performSync } from './drivers/database.ts';
import { exec, inTransaction, read, reopen, run, showSteps, times } from './program.ts';
import type { Param, SqlStep } from './program.ts';

/** An engine that notes its calls, and returns its parameters as a row. */
function noting() {
  const log: string[] = [];
  const prepare = (sql: string) => {
    log.push(`prepare ${sql}`);
    return {
      run: (params: readonly Param[]) => log.push(`run ${params.join()}`) && 1,
      read(params: readonly Param[], sink: Sink) {
        log.push(`read ${params.join()}`);
        for (const value of params) sink.value(value);
        sink.endRow();
      },
      finalize: () => void log.push('finalize'),
    };
  };
  return { log, calls: { exec: (sql: string) => void log.push(`exec ${sql}`), prepare } };
}

const STEPS: readonly SqlStep[] = [
  exec('CREATE'),
  run('INSERT', [[1], [2]]),
  run('INSERT', [[3]], 'each'),
  read('SELECT', [[4], [5]]),
  read('SELECT', [[6]], 'each'),
];

const EXPECTED = [
  'exec CREATE',
  ...['prepare INSERT', 'run 1', 'run 2', 'finalize'],
  ...['prepare INSERT', 'run 3', 'finalize'],
  ...['prepare SELECT', 'read 4', 'read 5', 'finalize'],
  ...['prepare SELECT', 'read 6', 'finalize'],
];

for (const timed of [false, true]) {
  test(`an engine that answers later does the same as one that answers at once${timed ? ', lap by lap' : ''}`, async () => {
    const laps = { count: 0, begin: () => undefined, end: () => void laps.count++ };
    const [now, later] = [noting(), noting()];
    const [a, b] = [new Sink(true), new Sink(true)];
    for (const step of STEPS) performSync(now.calls, step, { sink: a, laps: timed ? laps : null });
    expect(now.log).toEqual(EXPECTED);
    expect(laps.count).toBe(timed ? 6 : 0);
    const calls = {
      exec: async (sql: string) => later.calls.exec(sql),
      prepare: async (sql: string) => {
        const statement = later.calls.prepare(sql);
        return {
          run: async (params: readonly Param[]) => statement.run(params),
          read: async (params: readonly Param[], sink: Sink) => statement.read(params, sink),
          finalize: async () => statement.finalize(),
        };
      },
    };
    for (const step of STEPS) await performAsync(calls, step, { sink: b, laps: timed ? laps : null });
    expect(later.log).toEqual(EXPECTED);
    expect([b.rows, b.checksum]).toEqual([a.rows, a.checksum]);
  });
}

test('a failing statement is given back', () => {
  const { calls, log } = noting();
  const failing = { ...calls, prepare: (sql: string) => ({ ...calls.prepare(sql), run: () => expect.fail('no') }) };
  const recorder = { sink: new Sink(false), laps: null };
  expect(() => performSync(failing, run('INSERT'), recorder)).toThrow('no');
  expect(log.at(-1)).toBe('finalize');
});

test('steps are shown as they are, with how often; endless ones are cut and say so', () => {
  const steps = [...inTransaction(run('INSERT', times(3))), reopen, exec('x'.repeat(2_100))];
  expect(showSteps('timed', steps).map(({ sql, times: count }) => [sql.slice(0, 20), count])).toEqual([
    ['BEGIN', 1],
    ['INSERT', 3],
    ['COMMIT', 1],
    ['-- the database is c', 1],
    ['xxxxxxxxxxxxxxxxxxxx', 1],
  ]);
  expect(showSteps('timed', steps).at(-1)!.sql).toMatch(/and 100 characters more$/);
  const many = Array.from({ length: 100 }, (_, index) => exec(`INSERT ${index >> 1}`));
  expect(showSteps('timed', many)).toHaveLength(50);
  expect(showSteps('timed', many)[0]!.times).toBe(2);
  const endless = Array.from({ length: 100 }, (_, index) => exec(`INSERT ${index}`));
  expect(showSteps('timed', endless).at(-1)!.sql).toBe('-- and 40 statements more');
});
