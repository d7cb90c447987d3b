// PGlite's driver over calls of the same shape: a transaction in a test is one to PGlite, stored when it is committed.
import type { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import { Sink } from '#shared/bench/sink.ts';
import { exec, inTransaction, read, run } from '../program.ts';
import type { Step } from '../program.ts';
import { databaseOf } from './pglite.ts';

function fakePGlite(log: string[]): PGlite {
  const callsOf = (where: string) => ({
    exec: async (sql: string) => void log.push(`${where} ${sql}`),
    async query(sql: string, params: readonly unknown[]) {
      log.push(`${where} ${sql} (${params.join()})`);
      return { rows: [[1, 'a']], affectedRows: 1 };
    },
  });
  let running: Promise<unknown> = Promise.resolve();
  return {
    ...callsOf('alone'),
    transaction(work: (calls: object) => Promise<unknown>) {
      log.push('begin');
      running = work(callsOf('inside')).then(() => log.push('commit'));
      return running;
    },
    syncToFs: async () => void log.push('stored'),
    dumpDataDir: async () => new Blob(),
    async close() {
      await running;
      log.push('closed');
    },
  } as unknown as PGlite;
}

async function perform(steps: readonly Step[], log: string[], thenClose = false): Promise<Sink> {
  const database = databaseOf(fakePGlite(log));
  const sink = new Sink(false);
  for (const step of steps) if (step.do !== 'reopen') await database.perform(step, { sink, laps: null });
  if (thenClose) await database.close();
  return sink;
}

test('statements between BEGIN and COMMIT are one transaction, stored before the commit is answered', async () => {
  const log: string[] = [];
  const steps = [
    ...inTransaction(
      run('INSERT (?, ?)', [
        [1, 2],
        [3, 4],
      ]),
    ),
    read('SELECT ?', [[5]]),
  ];
  const sink = await perform(steps, log);
  expect(log).toEqual([
    'begin',
    'inside INSERT ($1, $2) (1,2)',
    'inside INSERT ($1, $2) (3,4)',
    'commit',
    'stored',
    'alone SELECT $1 (5)',
  ]);
  expect(sink.rows).toBe(3);
});

test('a database whose test was given up within a transaction can be closed', async () => {
  const log: string[] = [];
  await perform([exec('BEGIN'), run('INSERT', [[]])], log, true);
  expect(log).toEqual(['begin', 'inside INSERT ()', 'commit', 'stored', 'closed']);
});
