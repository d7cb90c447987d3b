// Imports into a database on a server: one transaction in few round trips, and everything as before when it cannot end well.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../build/sqld/test-server.ts';
import type { ImportColumn, ImportPlan, ImportTarget } from '#shared/protocol/import.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { serverEngine } from '../engines/remote/server-engine.test-suite.ts';
import { readFirst } from '../import/first-records.ts';
import { formatOf } from '../import/formats.ts';
import { plainOptions } from '../import/plain-options.ts';
import { previewImport } from '../import/preview.ts';
import { ProblemLog } from '../import/problem-log.ts';
import { openScratchFile } from '../native/transfer-files.ts';
import { bytesSource } from '../import/read-all.test-suite.ts';
import { importRecords } from '../import/run.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';

const server = await startTestServer();

describe.skipIf('why' in server)('an import into a database on a server', () => {
  const { url, controls, end } = server as TestServer;
  const options = plainOptions('csv', { hasHeader: true });
  let made = 0;
  let engine: Engine;
  let connection: Connection;
  beforeAll(async () => {
    engine = await serverEngine(url);
  });
  afterAll(() => end());
  beforeEach(() => {
    connection = engine.open(`import${++made}`, { durability: 'full' });
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT NOT NULL, b REAL)');
    return () => connection.close();
  });

  const planOf = (target: Partial<Extract<ImportTarget, { kind: 'table' }>> = {}): ImportPlan => ({
    source: { kind: 'text', text: '', name: '' },
    options,
    target: { kind: 'table', table: 't', mode: 'append', key: [], existing: 'skip', ...target },
    columns: ['id', 'a', 'b'].map((name, from): ImportColumn => ({
      ...{ name, from, type: '', notNull: false, primaryKey: false, defaultSql: '', expression: '' },
    })),
    maxProblems: 1000,
  });

  const readerOf = (csv: string) => formatOf('csv').read(bytesSource(Buffer.from(csv)), options);

  async function imported(
    csv: string,
    { plan = planOf(), stopAfter = Infinity, between = (_step: number): void => undefined } = {},
  ) {
    const problems = new ProblemLog();
    let pause: Promise<unknown> = Promise.resolve();
    let reports = 0;
    const turn = {
      ...undisturbedTurn(connection),
      pauseUntil: (settled: Promise<unknown>) => void (pause = settled),
      get stopRequested() {
        return reports >= stopAfter;
      },
    };
    const reader = await readerOf(csv);
    const run = importRecords(turn, { plan, reader, sizeBytes: csv.length, problems, report: () => undefined });
    let step = run.next();
    for (; !step.done; step = run.next()) {
      between(++reports);
      await pause;
    }
    return { ...step.value, problems: problems.kept };
  }

  const rows = (count: number): string =>
    `id,a,b\n${Array.from({ length: count }, (_, at) => `${at + 1},name ${at},${at / 7}`).join('\n')}\n`;
  const count = (): unknown => connection.one('SELECT count(*) FROM t')?.[0];

  it('takes few round trips, and names the rows that were refused', async () => {
    await imported(rows(1));
    connection.run('DELETE FROM t');
    const before = controls.requests;
    const csv = rows(10_000).replace('\n5000,name 4999', '\n4999,name 4999').replace('\n7,name 6,', '\n7,,');
    const { added, skipped, problems } = await imported(csv, {
      plan: { ...planOf(), options: { ...options, nullTokens: [''] } },
    });
    expect([added, skipped, problems.map(({ line }) => line)]).toEqual([9_998, 0, [8, 5001]]);
    expect(controls.requests - before).toBeLessThan(15);
    expect(connection.one('SELECT count(*), sum(id), max(b) FROM t')).toEqual([
      9_998,
      50_005_000 - 7 - 5000,
      9_999 / 7,
    ]);
  });

  it('replaces rows, updates rows, and fills a new table', async () => {
    await imported(rows(50));
    const upsert = planOf({ mode: 'upsert', key: ['id'], existing: 'overwrite' });
    expect(await imported('id,a,b\n1,name 0,0\n2,other,1\n51,new,2\n', { plan: upsert })).toMatchObject({
      added: 1,
      changed: 1,
      equal: 1,
    });
    expect(await imported(rows(3), { plan: planOf({ mode: 'replace' }) })).toMatchObject({ added: 3, removed: 51 });
    expect(count()).toBe(3);
    const plan = planOf();
    const news = { ...plan.columns[2]!, name: 'c', type: 'INTEGER', isNew: true } as const;
    const wider = { ...plan, columns: [...plan.columns.slice(0, 2), news] };
    expect(await imported('id,a,c\n4,new,7\n', { plan: wider })).toMatchObject({
      added: 1,
      notes: ['New in “t”: “c”.'],
    });
    expect(connection.all('SELECT id, b, c FROM t WHERE id > 2 ORDER BY id')).toEqual([
      [3, 2 / 7, null],
      [4, null, 7],
    ]);
    const target: ImportTarget = { kind: 'new-table', table: 'n', strict: false };
    await imported(rows(5), { plan: { ...planOf(), target } });
    expect(connection.all('SELECT * FROM n')).toHaveLength(5);
  });

  it('finds rows by columns that are not a key of the table, and leaves its schema as it is', async () => {
    await imported(rows(50));
    const plan = planOf({ mode: 'upsert', key: ['a'], existing: 'overwrite' });
    const columns = plan.columns.slice(1).map((column) => ({ ...column, from: column.from! - 1 }));
    const byName = { plan: { ...plan, columns } };
    expect(await imported('a,b\nname 1,9\nnew,2\n', byName)).toMatchObject({ added: 1, changed: 1, problems: [] });
    expect(connection.all("SELECT id, CAST(b AS INTEGER) FROM t WHERE a IN ('name 1', 'new')")).toEqual([
      [2, 9],
      [51, 2],
    ]);
    await expect(imported(`a,b\nname 1,5\n`, { ...byName, stopAfter: 1 })).rejects.toThrow('Everything is as it was');
    connection.run("INSERT INTO t(a) VALUES ('new')");
    await expect(imported('a,b\nname 1,5\n', byName)).rejects.toThrow('several rows with the same “a”');
    expect(connection.all("SELECT name FROM sqlite_schema WHERE type = 'index'")).toEqual([]);
    expect([count(), connection.autocommit]).toEqual([52, true]);
    const attempt = { plan: byName.plan, ...(await readFirst(await readerOf('a,b\nx,1\n'), 5)) };
    const near = openScratchFile(await createNativeEngine());
    expect(previewImport(connection, attempt, { near: near.connection }).notes.join(' ')).toContain(
      'the server indexes all of its rows',
    );
    near.dispose();
  });

  it('leaves everything as it was when it is stopped, or the connection or the transaction is lost', async () => {
    await imported(rows(5));
    await expect(imported(rows(9_000).replaceAll('\n', '\n9'), { stopAfter: 3 })).rejects.toThrow(
      'The import was stopped. Everything is as it was before.',
    );
    expect(count()).toBe(5);
    const loses = imported(rows(9_000).replaceAll('\n', '\n9'), {
      between: (step) => void (step === 3 && controls.fail('cut')),
    });
    await expect(loses).rejects.toThrow('The open transaction was lost, and none of it was saved.');
    expect([count(), connection.autocommit]).toEqual([5, true]);
  });

  it('is tried without a request for each row, and says beforehand what a server does differently', async () => {
    await imported(rows(1));
    const native = await createNativeEngine();
    const near = openScratchFile(native);
    const before = controls.requests;
    const reader = await readerOf(rows(500));
    const attempt = {
      plan: planOf({ mode: 'upsert', key: ['id'], existing: 'overwrite' }),
      ...(await readFirst(reader, 500)),
    };
    const preview = previewImport(connection, attempt, { near: near.connection });
    near.dispose();
    expect(preview.rows[499]).toEqual([500, 'name 499', 499 / 7]);
    expect(preview.notes.join(' ')).toMatch(/one transaction.*counts the rows of “t” twice/);
    expect(controls.requests - before).toBeLessThan(10);
    expect(count()).toBe(1);
  });
});
