// The state after an import that did not finish, because the process or the machine failed.
import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportPlan } from '#shared/protocol/import.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { plainOptions } from '../import/plain-options.ts';
import { FileDisk } from './history-disks.test-suite.ts';
import { HistoryFixture } from './history-fixture.test-suite.ts';

const SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'kept'), (2, 'kept')";
/** More than a page cache holds, so that a part of it is in the file or its log before the end. */
const ROWS = 150_000;

function startImport(fixture: HistoryFixture): Promise<unknown> {
  const rows = Array.from({ length: ROWS }, (_, row) => `${row + 10},${String(row).repeat(40)}`);
  fixture.files.set('t.csv', new TextEncoder().encode(`id,a\n${rows.join('\n')}\n`));
  const column = (name: string, from: number) =>
    ({ name, from, type: '', notNull: false, primaryKey: false, defaultSql: '', expression: '' }) as const;
  const plan: ImportPlan = {
    source: { kind: 'file', token: 't.csv' },
    options: plainOptions('csv', { hasHeader: true }),
    target: { kind: 'table', table: 't', mode: 'append', key: [], existing: 'skip' },
    columns: [column('id', 0), column('a', 1)],
    maxProblems: 10,
  };
  return fixture.call('import.run', { plan });
}

async function untilRows(fixture: HistoryFixture, count: number): Promise<void> {
  const rows = () => Number(fixture.connection.one('SELECT count(*) FROM t')![0]);
  await expect.poll(rows, { interval: 1, timeout: 60_000 }).toBeGreaterThan(count);
}

test('a power cut leaves the library as it was before', async () => {
  const fixture = new HistoryFixture(SCHEMA);
  const before = fixture.dump;
  const importing = startImport(fixture).catch(() => undefined);
  await untilRows(fixture, ROWS / 3);
  fixture.cutPower('all');
  await importing;
  expect(fixture.dump).toBe(before);
  expect(await fixture.steps()).toEqual([]);
  fixture.close();
});

test.each(['wal', 'delete'] as const)(
  'a process that ends leaves the file in place as it was, journal mode %s',
  async (mode) => {
    const disk = new FileDisk(mode);
    const fixture = new HistoryFixture(SCHEMA, disk);
    const before = fixture.dump;
    const importing = startImport(fixture);
    await untilRows(fixture, ROWS / 3);
    // Simulates what would be found after a crash: everything that is written, and no commit.
    const folder = mkdtempSync(join(tmpdir(), 'sidelite-crash-'));
    for (const part of ['', '-wal', '-journal'])
      if (existsSync(disk.file + part)) copyFileSync(disk.file + part, join(folder, `file.db${part}`));
    const found = (await createNativeEngine()).open(join(folder, 'file.db'), { durability: 'full' });
    expect(dumpDatabase(found)).toBe(before);
    found.close();
    rmSync(folder, { recursive: true });
    await importing;
    expect(fixture.connection.one('SELECT count(*) FROM t')).toEqual([ROWS + 2]);
    fixture.close();
  },
);
