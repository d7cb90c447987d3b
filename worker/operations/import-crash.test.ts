// The state after an import that did not finish, because the process or the machine failed.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LONG } from '#shared/seed-count.test-suite.ts';
import type { ImportColumn, ImportPlan, ImportTarget } from '#shared/protocol/import.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { plainOptions } from '../import/plain-options.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import { readingThread } from '../native/reading-threads.ts';
import { FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';
import { append, column, newTable } from './import-fixture.test-suite.ts';

const THREAD = new URL('../threads/test-threads/delayed-reading.test-suite.ts', import.meta.url);
const SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'kept'), (2, 'kept')";
/** More than a page cache holds, so that a part of it is in the file or its log before the end. */
const ROWS = LONG ? 150_000 : 40_000;
/** With half a kilobyte each, enough to be moved in pieces. */
const MOVED_ROWS = LONG ? 150_000 : 50_000;

function planOf(
  fixture: HistoryFixture,
  target: ImportTarget,
  more: Partial<ImportColumn>,
  padding = 'text '.repeat(LONG ? 8 : 40),
  count = ROWS,
): ImportPlan {
  const rows = Array.from({ length: count }, (_, row) => `${row + 10},${row}${padding}`);
  fixture.files.set('t.csv', new TextEncoder().encode(`id,a\n${rows.join('\n')}\n`));
  return {
    source: { kind: 'file', token: 't.csv' },
    options: plainOptions('csv', { hasHeader: true }),
    target,
    columns: [column('id', 0, more), column('a', 1, more)],
    maxProblems: 10,
  };
}

/**
 * An import into a table that is there, and one into a new table whose types are counted while its rows are written. With the journal
 * mode to try it in; both of them in the long tests.
 */
const IMPORTS = [
  { table: 't', kept: 2, mode: 'wal', planFor: (fixture: HistoryFixture) => planOf(fixture, append('t'), {}) },
  {
    table: 'u',
    kept: 0,
    mode: 'delete',
    planFor: (fixture: HistoryFixture) => planOf(fixture, newTable('u'), { isTypeOpen: true }),
  },
] as const;

async function untilRows(fixture: HistoryFixture, table: string, count: number): Promise<void> {
  const rows = (): number => {
    const isThere = fixture.connection.one('SELECT 1 FROM sqlite_schema WHERE name = ?', [table]);
    return isThere ? Number(fixture.connection.one(`SELECT max(rowid) FROM ${table}`)![0]) : 0;
  };
  await expect.poll(rows, { interval: 1, timeout: 60_000 }).toBeGreaterThan(count);
}

beforeEach(() => useReadingThreads(() => readingThread(new Worker(THREAD, { workerData: 0 }))));
afterEach(() => useReadingThreads(null));

describe.each(IMPORTS)('an import into $table', ({ table, kept, mode: own, planFor }) => {
  test('that a power cut ends leaves the library as it was before', async () => {
    const fixture = new HistoryFixture(SCHEMA);
    const before = fixture.dump;
    const importing = fixture.call('import.run', { plan: planFor(fixture) }).catch(() => undefined);
    await untilRows(fixture, table, ROWS / 3);
    fixture.cutPower('all');
    await importing;
    expect(fixture.dump).toBe(before);
    expect(await fixture.steps()).toEqual([]);
    fixture.close();
  });

  test.each(LONG ? (['wal', 'delete'] as const) : [own])(
    'whose process ends leaves the file in place as it was, journal mode %s',
    async (mode) => {
      const disk = new FileDisk(mode);
      const fixture = new HistoryFixture(SCHEMA, disk);
      const before = fixture.dump;
      const importing = fixture.call('import.run', { plan: planFor(fixture) });
      await untilRows(fixture, table, ROWS / 3);
      // Simulates what would be found after a crash: everything that is written, and no commit.
      const folder = mkdtempSync(join(tmpdir(), 'sidelite-crash-'));
      for (const part of ['', '-wal', '-journal'])
        if (existsSync(disk.file + part)) copyFileSync(disk.file + part, join(folder, `file.db${part}`));
      const found = (await createNativeEngine()).open(join(folder, 'file.db'), { durability: 'full' });
      expect(dumpDatabase(found)).toBe(before);
      found.close();
      rmSync(folder, { recursive: true });
      await importing;
      expect(fixture.connection.one(`SELECT count(*) FROM ${table}`)).toEqual([ROWS + kept]);
      fixture.close();
    },
  );
});

test('a power cut while its rows are moved into the file of the library leaves them, and the step that undoes them', async () => {
  const fixture = new HistoryFixture(SCHEMA);
  const before = fixture.dump;
  let isCut = false;
  const plan = planOf(fixture, newTable('u'), { isTypeOpen: true }, 'text '.repeat(100), MOVED_ROWS);
  const importing = fixture.call('import.run', { plan }, undefined, (chunk) => {
    if (isCut || !(chunk as { phase: string }).phase.startsWith('Moving')) return;
    isCut = true;
    fixture.cutPower('all');
  });
  expect(await importing.catch(() => 'cut')).toBe('cut');
  expect(fixture.connection.one('SELECT count(*) FROM u')).toEqual([MOVED_ROWS]);
  expect(fixture.connection.one('PRAGMA integrity_check')).toEqual(['ok']);
  expect((await fixture.steps()).map(({ title }) => title)).toEqual(['Import t.csv into u']);
  await fixture.undo();
  expect(fixture.dump).toBe(before);
  fixture.close();
});
