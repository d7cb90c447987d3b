// Changes of the schema of a file that another program has locked.
import { describe, expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { holdOpen, runIn } from '../engines/native/storage/other-program.test-suite.ts';
import { FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { DIFFICULT, schemaChangesIn } from './schema-change-fixture.test-suite.ts';

describe.each(['wal', 'delete'] as const)('a file that another program has locked, journal mode %s', (mode) => {
  test('is waited for, and nothing is changed before', async () => {
    const disk = new FileDisk(mode);
    const fixture = new HistoryFixture(DIFFICULT, disk);
    const other = await holdOpen(disk.file, 'BEGIN IMMEDIATE');
    try {
      const { clock } = fixture;
      const change: SchemaChange = { kind: 'duplicate-table', table: 'log', to: 'journal', rows: true };
      let answer: unknown = null;
      const asked = fixture
        .call('schema.change', { changes: [change], keep: true })
        .then((report) => (answer = report));
      for (let round = 0; round < 3; round++) {
        clock.advance(50);
        await clock.nextTask();
        expect(answer).toBeNull();
        expect(fixture.connection.one("SELECT name FROM sqlite_schema WHERE name = 'journal'")).toBeNull();
      }
      await runIn(other, 'ROLLBACK');
      await expect.poll(() => (clock.advance(50), answer), { interval: 1 }).not.toBeNull();
      await asked;
      expect(answer).toMatchObject({ broken: [] });
    } finally {
      other.kill('SIGKILL');
      fixture.close();
    }
  });

  test.each(['BEGIN IMMEDIATE', 'BEGIN; SELECT count(*) FROM t'])(
    'a rebuild is made after the lock, or not at all, while another program has it with %s',
    async (sql) => {
      const disk = new FileDisk(mode);
      const fixture = new HistoryFixture(DIFFICULT, disk);
      const before = fixture.dump;
      const other = await holdOpen(disk.file, sql);
      try {
        const { clock } = fixture;
        const { checked, changed } = schemaChangesIn(() => fixture);
        const change = changed(checked());
        const attempt = async (isStopped: boolean): Promise<unknown> => {
          let answer: unknown = null;
          void fixture.call('schema.change', { changes: [change], keep: true }).then(
            (report) => (answer = report),
            (error: unknown) => (answer = error),
          );
          for (let round = 0; round < 3 && answer === null; round++) {
            clock.advance(50);
            await clock.nextTask();
          }
          // In the rollback journal a reader keeps a writer from committing; in the log it does not.
          if (answer === null && isStopped) fixture.cancelAll();
          else if (answer === null) await runIn(other, 'ROLLBACK');
          await expect.poll(() => (clock.advance(50), answer), { interval: 1 }).not.toBeNull();
          return answer;
        };
        const first = await attempt(true);
        if (first instanceof AppError) {
          expect(['stopped', 'locked']).toContain(first.code);
          expect(first.message).toMatch(/Everything is as it was before\.|Nothing was changed\./);
          expect(fixture.dump).toBe(before);
          expect(fixture.connection.one('PRAGMA foreign_keys')).toEqual([1]);
          expect(await attempt(false)).toMatchObject({ kept: true, broken: [] });
        } else expect(first).toMatchObject({ kept: true, broken: [] });
      } finally {
        other.kill('SIGKILL');
        fixture.close();
      }
    },
  );
});
