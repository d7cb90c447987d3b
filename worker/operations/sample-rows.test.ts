// Sample rows as a window requests them, in the library and in place: one step of the history, or nothing.
import { expect, test } from 'vitest';
import type { Progress } from '#shared/protocol/library.ts';
import { holdOpen, runIn } from '../engines/native/storage/other-program.test-suite.ts';
import { failureOf } from './database-fixture.test-suite.ts';
import { disks, FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture, KEYED_TABLES } from './history-fixture.test-suite.ts';

const planFor = async (fixture: HistoryFixture, table: string, rows: number) => {
  const { columns } = await fixture.call('sampleRows.suggest', { table });
  return { table, rows, seed: 3, columns };
};

test.each(disks)('rows are previewed without a trace, inserted as one step, and undone, $name', async (disk) => {
  const fixture = new HistoryFixture(KEYED_TABLES, disk);
  const before = fixture.dump;
  for (const table of ['t', 'w', 'child']) {
    const plan = await planFor(fixture, table, 500);
    const preview = await fixture.call('sampleRows.preview', { plan, maxRows: 10 });
    expect(preview).toMatchObject({ problem: null });
    expect(preview.rows).toHaveLength(10);
  }
  expect(fixture.dump).toBe(before);
  expect(fixture.state.steps).toBe(0);
  const plan = await planFor(fixture, 't', 500);
  const preview = await fixture.call('sampleRows.preview', { plan: { ...plan, rows: 10 }, maxRows: 10 });
  // All fit the CHECK and the UNIQUE of this table: rejected ones are made again.
  expect(await fixture.call('sampleRows.insert', { plan })).toMatchObject({ table: 't', inserted: 500, skipped: 0 });
  expect(preview.columns).toEqual(['id', 'a', 'b', 'n']);
  expect(await fixture.steps()).toMatchObject([{ title: 'Fill t with sample rows' }]);
  await fixture.undo();
  expect(fixture.dump).toBe(before);
  fixture.close();
});

test.each(disks)('Stop leaves neither a row nor a step, $name', async (disk) => {
  const fixture = new HistoryFixture(KEYED_TABLES, disk);
  const before = fixture.dump;
  const plan = await planFor(fixture, 'child', 1_000_000);
  const progress: Progress[] = [];
  const inserting = fixture.call('sampleRows.insert', { plan }, undefined, (chunk) => {
    progress.push(chunk as Progress);
    fixture.cancelAll();
  });
  expect(await failureOf(inserting)).toMatchObject({ code: 'stopped' });
  expect(progress[0]).toMatchObject({ phase: 'Inserting', total: 1_000_000, unit: 'rows' });
  expect(fixture.dump).toBe(before);
  expect(fixture.state.steps).toBe(0);
  fixture.close();
});

test('a file that another program has locked is waited for, and nothing is changed before', async () => {
  const disk = new FileDisk('wal');
  const fixture = new HistoryFixture(KEYED_TABLES, disk);
  const plan = await planFor(fixture, 'child', 10);
  const other = await holdOpen(disk.file, 'BEGIN IMMEDIATE');
  try {
    let answer: unknown = null;
    void fixture.call('sampleRows.insert', { plan }).then((reply) => (answer = reply));
    for (let round = 0; round < 3; round++) {
      fixture.clock.advance(50);
      await fixture.clock.nextTask();
      expect(answer).toBeNull();
    }
    await runIn(other, 'ROLLBACK');
    await expect.poll(() => (fixture.clock.advance(50), answer), { interval: 1 }).toMatchObject({ inserted: 10 });
  } finally {
    other.kill('SIGKILL');
    fixture.close();
  }
});
