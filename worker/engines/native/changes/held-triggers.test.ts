// Tests that triggers held back during a replay are exactly as before afterwards, for every connection.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dumpDatabase } from '../../contract/dump.test-suite.ts';
import { logsOf, runScript, undo } from '../../contract/row-log-fixture.test-suite.ts';
import type { Connection } from '../../engine.ts';
import type { TransactionChanges } from '../../transaction-changes.ts';
import { createNativeEngine } from '../native-engine.ts';

let folder: string;
let connection: Connection;
let other: Connection;
let published: TransactionChanges[];
let asked: string[];
const guard = {
  beforeSchemaChange: () => void asked.push('before'),
  overBudget: () => (asked.push('inside'), 'drop' as const),
  covers: () => false,
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-triggers-'));
  const file = join(folder, 'a.db');
  connection = (await createNativeEngine()).open(file, { durability: 'full', create: true });
  runScript(
    connection,
    `CREATE TABLE t (id INTEGER PRIMARY KEY, a, n DEFAULT 0); CREATE TABLE log (what);
     CREATE TRIGGER second AFTER UPDATE OF a ON t BEGIN INSERT INTO log VALUES ('second ' || new.a); END;
     CREATE TABLE mid (x);
     CREATE TRIGGER first AFTER UPDATE OF a ON t BEGIN INSERT INTO log VALUES ('first ' || new.a); UPDATE t SET n = n + 1 WHERE id = new.id; END;
     CREATE TRIGGER gone BEFORE DELETE ON t BEGIN UPDATE t SET n = -1 WHERE id = old.id; END;
     INSERT INTO t VALUES (1, 'one', 0), (2, 'two', 0)`,
  );
  other = (await createNativeEngine()).open(file, { durability: 'full' });
  [published, asked] = [[], []];
  connection.onCommit((changes) => published.push(changes));
  connection.record({ budgetBytes: 1 << 20, guard });
});

afterEach(() => {
  connection.close();
  other.close();
  rmSync(folder, { recursive: true });
});

const facts = () => ['schema_version', 'integrity_check'].map((pragma) => connection.one(`PRAGMA ${pragma}`));

test('what they did is logged and taken back; they fire as before, in the same order, and nobody sees another schema', () => {
  const update = other.prepare("UPDATE t SET a = 'by another' WHERE id = 2");
  const [before, start] = [facts(), dumpDatabase(connection)];
  runScript(connection, "BEGIN; UPDATE t SET a = 'uno'; DELETE FROM t WHERE id = 1; COMMIT");
  expect(asked).toEqual([]);
  const end = dumpDatabase(connection);
  undo(connection, logsOf(published)[0]!);
  expect(dumpDatabase(connection)).toBe(start);
  undo(connection, logsOf(published)[1]!);
  expect(dumpDatabase(connection)).toBe(end);
  expect(facts()).toEqual(before);
  while (update.step());
  update.finalize();
  const fired = connection
    .all("SELECT what FROM log WHERE what GLOB '* by another' OR what GLOB '* uno' ORDER BY rowid")
    .flat();
  expect(fired.slice(-2)).toEqual([fired[0], fired[1]].map((what) => String(what).replace('uno', 'by another')));
});

test('a connection that begins with taking something back knows what they do afterwards', async () => {
  connection.run("UPDATE t SET a = 'uno' WHERE id = 1");
  const [log] = logsOf(published);
  connection.close();
  connection = (await createNativeEngine()).open(join(folder, 'a.db'), { durability: 'full' });
  connection.onCommit((changes) => published.push(changes));
  connection.record({ budgetBytes: 1 << 20, guard });
  undo(connection, log!);
  const start = dumpDatabase(connection);
  published = [];
  connection.run("UPDATE t SET a = 'eins' WHERE id = 1");
  const changes = published;
  expect([...changes[0]!.tables!.keys()].sort()).toEqual(['log', 't']);
  undo(connection, logsOf(changes)[0]!);
  expect(dumpDatabase(connection)).toBe(start);
});

test('after a failure on the way they are all there', () => {
  const start = dumpDatabase(connection);
  expect(() =>
    connection.replay(() => {
      connection.run('DELETE FROM t');
      throw new Error('Half way.');
    }),
  ).toThrow('Half way.');
  expect(dumpDatabase(connection)).toBe(start);
  connection.run("UPDATE t SET a = 'x' WHERE id = 1");
  expect(connection.one('SELECT count(*) FROM log')).toEqual([2]);
});

test('temporary ones, which may come before ours, need a copy; so do rows that REPLACE removes unseen', () => {
  connection.run("REPLACE INTO t VALUES (1, 'new', 0)");
  runScript(connection, "CREATE TEMP TRIGGER mine AFTER INSERT ON mid BEGIN INSERT INTO log VALUES ('mine'); END");
  connection.run('INSERT INTO mid VALUES (1)');
  expect(asked).toEqual(['before', 'before']);
  expect(published.map(({ log }) => log)).toEqual(['dropped', 'dropped']);
});

test('a row that refers to itself and gets another key is not logged wrongly', () => {
  runScript(connection, 'CREATE TABLE tree (id INTEGER PRIMARY KEY, up REFERENCES tree (id) ON UPDATE CASCADE)');
  runScript(connection, 'INSERT INTO tree VALUES (1, 1), (2, 1); UPDATE tree SET up = 2 WHERE id = 2');
  [published, asked] = [[], []];
  connection.run('UPDATE tree SET id = 7 WHERE id = 1');
  expect(connection.all('SELECT * FROM tree')).toEqual([[2, 2], [7, 7]]); // prettier-ignore
  expect([asked, published.map(({ log }) => log)]).toEqual([['inside'], ['dropped']]);
});

test('what FAIL keeps of triggers is not forgotten', () => {
  runScript(
    connection,
    `CREATE TRIGGER stop BEFORE INSERT ON t BEGIN INSERT INTO log VALUES ('kept'); SELECT raise(fail, 'no'); END`,
  );
  [published, asked] = [[], []];
  connection.run('BEGIN');
  expect(() => connection.run("INSERT INTO t VALUES (9, 'x', 0)")).toThrow('no');
  connection.run('COMMIT');
  expect(connection.one("SELECT count(*) FROM log WHERE what = 'kept'")).toEqual([1]);
  expect([asked, published.map(({ log }) => log)]).toEqual([['inside'], ['dropped']]);
});
