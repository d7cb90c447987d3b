// Statements: what they say of themselves, and their life.
import { describe, expect, it } from 'vitest';
import { needs } from './subject.test-suite.ts';
import type { EngineExceptions, GetConnection } from './subject.test-suite.ts';

const SCHEMA = `
  CREATE TABLE a(id INTEGER PRIMARY KEY, x TEXT, y NUMERIC(5, 2));
  CREATE INDEX ax ON a(x);
  CREATE TABLE b(id INTEGER PRIMARY KEY, a REFERENCES a) WITHOUT ROWID;
  CREATE VIEW v AS SELECT x AS shown, b.id FROM a JOIN b ON b.a = a.id;
  CREATE VIRTUAL TABLE f USING fts5(body);
`;
const LOGGING =
  'CREATE TABLE t(a); CREATE TABLE log(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (1); END';

const READS: readonly (readonly [sql: string, tables: readonly string[]])[] = [
  ['SELECT * FROM a', ['a']],
  ['SELECT count(*) FROM a', ['a']],
  ['SELECT x FROM a ORDER BY x', ['a']],
  ['SELECT shown FROM v', ['a', 'b', 'v']],
  ['SELECT count(*) FROM v', ['a', 'b']],
  ["SELECT * FROM f WHERE f MATCH 'x'", ['f']],
  ['SELECT 1 WHERE EXISTS (SELECT 1 FROM b)', ['b']],
  ['WITH c AS (SELECT id FROM a) SELECT * FROM c JOIN b USING (id)', ['a', 'b']],
  ['UPDATE a SET y = (SELECT max(id) FROM b)', ['b']],
  ['SELECT 1', []],
];

export function describeStatements(get: GetConnection, exceptions: () => EngineExceptions): void {
  describe('statements', () => {
    it('knows what is read beside a view that is broken', () => {
      runAll(get, `${SCHEMA}; CREATE VIEW broken AS SELECT missing FROM a`);
      expect(get().prepare('SELECT x FROM a').readTables).toEqual(['a']);
    });

    it.each(READS)('knows what is read by %s', (sql, tables) => {
      runAll(get, SCHEMA);
      const statement = get().prepare(sql);
      const named = statement.readTables.toSorted();
      if (exceptions().namesMoreReads === true) expect(named).toEqual(expect.arrayContaining([...tables]));
      else expect(named).toEqual(tables);
      statement.finalize();
    });

    it('describes columns and where they come from', () => {
      runAll(get, SCHEMA);
      const statement = get().prepare('SELECT y, x AS "a ""b"" 😀", 1 + 1 FROM a');
      expect(statement.columns).toEqual([
        { name: 'y', declaredType: 'NUMERIC(5, 2)', origin: { table: 'a', column: 'y' } },
        { name: 'a "b" 😀', declaredType: 'TEXT', origin: { table: 'a', column: 'x' } },
        { name: '1 + 1', declaredType: '', origin: null },
      ]);
      statement.finalize();
    });

    it('gives out no statement that was in use while the schema changed: it knows the columns of before', () => {
      runAll(get, SCHEMA);
      const sql = 'SELECT * FROM a';
      const held = get().prepare(sql);
      get().run('ALTER TABLE a ADD COLUMN z');
      held.finalize();
      const again = get().prepare(sql);
      expect(again.columnCount).toBe(4);
      again.finalize();
    });

    it.each(['select', 'a b', "it's", 'say "hi"', '😀', ' ', '', 'x.y', '[z]', '`', 'ünï'])(
      'takes the name “%s”',
      (name) => {
        const quoted = `"${name.replaceAll('"', '""')}"`;
        get().run(`CREATE TABLE ${quoted}(${quoted} TEXT)`);
        get().run(`INSERT INTO ${quoted} VALUES ('in')`);
        const statement = get().prepare(`SELECT * FROM ${quoted}`);
        expect(statement.columns[0]).toEqual({ name, declaredType: 'TEXT', origin: { table: name, column: name } });
        expect(statement.readTables).toEqual([name]);
        expect(statement.step() && statement.value(0)).toBe('in');
        statement.finalize();
      },
    );

    it('tells reading from writing, and counts parameters', () => {
      runAll(get, SCHEMA);
      const [reading, writing] = [
        get().prepare('SELECT * FROM a WHERE id = ?1 OR x = ?2'),
        get().prepare('DELETE FROM a'),
      ];
      expect([reading.readonly, writing.readonly]).toEqual([true, false]);
      expect([reading.parameterCount, writing.parameterCount]).toEqual([2, 0]);
      reading.finalize();
      writing.finalize();
    });

    it('stays done until it is reset', () => {
      const statement = get().prepare('SELECT 1');
      expect([statement.step(), statement.step(), statement.step()]).toEqual([true, false, false]);
      statement.reset();
      expect(statement.step()).toBe(true);
      statement.finalize();
    });

    it('sees the new columns after the schema has changed', () => {
      runAll(get, 'CREATE TABLE t(a); INSERT INTO t VALUES (1)');
      expect(get().one('SELECT * FROM t')).toEqual([1]);
      get().run('ALTER TABLE t ADD COLUMN b DEFAULT 2');
      expect(get().one('SELECT * FROM t')).toEqual([1, 2]);
    });

    it('answers the rows a statement changed, without those of triggers', () => {
      runAll(get, LOGGING);
      expect(get().run('INSERT INTO t VALUES (1), (2)')).toBe(2);
      expect(get().run('UPDATE t SET a = 3 WHERE a = 9')).toBe(0);
      expect(get().run('CREATE TABLE u(a)')).toBe(0);
      expect(get().lastInsertRowid).toBe(2);
    });

    it('counts the rows of triggers among all changes', needs('counts of triggers'), () => {
      runAll(get, LOGGING);
      get().run('INSERT INTO t VALUES (1), (2)');
      expect(get().totalChanges).toBe(4);
    });

    it('is closed with its connection', () => {
      const statement = get().prepare('SELECT 1');
      get().close();
      expect(() => statement.step()).toThrow(expect.objectContaining({ code: 'disconnected' }));
      statement.finalize();
      expect(() => get().prepare('SELECT 1')).toThrow(expect.objectContaining({ code: 'disconnected' }));
    });
  });
}

function runAll(get: GetConnection, sql: string): void {
  const script = get().script(sql);
  for (let statement = script.next(); statement !== null; statement = script.next()) while (statement.step());
}
