// Changes of the schema of a database on a server: what SQLite's ALTER can do, planned and tried on a copy of the schema on this computer.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../build/sqld/test-server.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { startNetwork } from '../engines/remote/network/network-thread.test-suite.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { checkKeys } from '../health/key-checks.ts';
import { overview } from '../health/overview.ts';
import { checkText, checkValues } from '../health/row-checks.ts';
import { checkStructure } from '../health/structure.ts';
import { countSizes } from '../health/tree-sizes.ts';
import { openScratchFile } from '../native/transfer-files.ts';
import { removeScratchFolders } from '../native/scratch-folders.ts';
import { changeSchema, isClean } from '../schema-change/change.ts';
import { usesWithParts } from '../schema-change/uses.ts';
import { Work } from '../schema-change/work.ts';
import { Scan } from '../readers/scan.ts';
import { RestingConnection } from '../sessions/resting-connection.ts';
import { undisturbedTurn } from '../sessions/undisturbed-turn.ts';

const server = await startTestServer();

describe.skipIf('why' in server)('the schema of a database on a server', () => {
  const { url, controls, end } = server as TestServer;
  let made = 0;
  let engine: Engine;
  let connection: Connection;
  beforeAll(async () => {
    const native = await createNativeEngine();
    engine = await createRemoteEngine((location) => ({ url: url(location), token: null, readOnly: false }), {
      startNetwork,
      openNear: () => openScratchFile(native).connection,
    });
  });
  afterAll(() => (removeScratchFolders(), end()));
  beforeEach(() => {
    // The app opens its connections this way.
    connection = new RestingConnection(() => engine.open(`schema${++made}`, { durability: 'full' }));
    connection.run('CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)');
    connection.run("INSERT INTO t VALUES (1, 'one')");
    connection.run('CREATE VIEW v AS SELECT a FROM t');
    return () => connection.close();
  });

  function run<T>(body: (work: Work) => Generator<unknown, T>): T {
    const steps = body(new Work(undisturbedTurn(connection), () => undefined));
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  }

  const change = (sql: string, columns: readonly (string | null)[]): SchemaChange => ({
    kind: 'change-table',
    table: 't',
    sql,
    columns,
  });

  it('reaches the app with what only such an engine can do', () => {
    expect([connection.isMetered, connection.writeTogether !== undefined]).toEqual([true, true]);
    const outcome = connection.writeTogether!([
      { write: { sql: "UPDATE t SET a = 'two' WHERE id = 1 RETURNING 1", params: [] }, now: null, after: null },
    ]);
    expect([outcome.kind, connection.one('SELECT a FROM t')]).toEqual(['done', ['two']]);
  });

  it('is looked through on this computer: what uses a table costs no write and hardly a request', () => {
    connection.one('SELECT * FROM t');
    const before = controls.requests;
    expect(run((work) => usesWithParts(work, 't', 'a')).map(({ name }) => name)).toEqual(['v']);
    expect(controls.requests - before).toBeLessThan(4);
  });

  it('is what Health shows: sizes, settings of the file, and the findings of its checks', () => {
    connection.run('CREATE TABLE child(id INTEGER PRIMARY KEY, t INTEGER REFERENCES t)');
    connection.run('CREATE INDEX twice ON t(a)');
    connection.run('CREATE INDEX again ON t(a)');
    const all = <T>(steps: Generator<unknown, T>): T => {
      for (;;) {
        const step = steps.next();
        if (step.done) return step.value;
      }
    };
    const { pragmas, trees, pages } = all(overview(undisturbedTurn(connection)));
    expect([pragmas['encoding'], Object.keys(pragmas).length, pages > 0]).toEqual(['UTF-8', 9, true]);
    expect(trees.map(({ name }) => name)).toContain('twice');
    const { trees: counted } = all(countSizes(undisturbedTurn(connection), () => undefined));
    expect(counted.reduce((sum, tree) => sum + tree.pages, 0)).toBe(pages);
    for (const check of [checkStructure, checkKeys, checkValues, checkText]) {
      const scan = new Scan(undisturbedTurn(connection), () => undefined);
      const { all: found } = all(check(scan));
      scan.end();
      expect(found.length > 0).toBe(check === checkStructure);
    }
  });

  it('gets a new column by ALTER, with the same checks as elsewhere', () => {
    const report = run((work) =>
      changeSchema(work, [
        change('CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, b INTEGER DEFAULT 7)', ['id', 'a', null]),
      ]),
    );
    expect(isClean(report)).toBe(true);
    connection.run('COMMIT');
    expect(connection.all('SELECT * FROM t')).toEqual([[1, 'one', 7]]);
    expect(report.sql.join(' ')).toMatch(/ADD COLUMN/);
  });
});
