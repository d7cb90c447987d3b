// A database that was made to do harm: what its schema may call, and what its expressions may cost.
import { describe, expect, it } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { PackedRowsWriter } from '#shared/packed-rows/writer.ts';
import { needs } from './subject.test-suite.ts';
import type { GetConnection } from './subject.test-suite.ts';
import type { Connection } from '../engine.ts';
import { findTable } from '../table-list.ts';
import type { TransactionChanges } from '../transaction-changes.ts';
import { thrownBy } from '../thrown-by.test-suite.ts';

/** Takes many times as long as reading a row. Of the row: what is constant SQLite works out once. */
const SLOW = 'length(hex(zeroblob(20000 + a * 0)))';
const ROWS = 3000;
const INSERT_ROWS = `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${ROWS}) INSERT INTO t(a) SELECT i FROM n`;

export function describeHostileSchema(get: GetConnection): void {
  describe('a hostile schema', () => {
    it('cannot look around through a view or a trigger, as a query may', needs('untrusted schema'), () => {
      const run = (sql: string): unknown => get().run(sql);
      expect(get().all('SELECT name FROM pragma_database_list')).toEqual([['main']]);
      run('CREATE VIEW spy AS SELECT * FROM pragma_database_list');
      expect(thrownBy(() => get().all('SELECT * FROM spy')).message).toMatch(/unsafe use/i);
      run('CREATE TABLE t(a)');
      run('CREATE TABLE seen(name)');
      run('CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO seen SELECT name FROM pragma_database_list; END');
      expect(thrownBy(() => run('INSERT INTO t VALUES (1)')).message).toMatch(/unsafe use/i);
      expect(get().all('SELECT * FROM t, seen')).toEqual([]);
    });

    it('has tables named like those of SQLite in vain', () => {
      get().run('CREATE TABLE t(a PRIMARY KEY, b)');
      get().run('CREATE VIRTUAL TABLE f USING fts5(a)');
      get().run('CREATE VIRTUAL TABLE pragma_table_xinfo USING fts5(cid, name, pk, hidden)');
      get().run("INSERT INTO pragma_table_xinfo VALUES (0, 'evil t', 0, 0)");
      for (const name of ['pragma_index_list', 'pragma_module_list', 'json_each'])
        get().run(`CREATE VIEW ${name} AS SELECT 'x' AS name`);
      expect(get().all("SELECT name FROM temp.pragma_table_xinfo(?, 'main')", ['t'])).toEqual([['a'], ['b']]);
      expect(get().all("SELECT origin FROM temp.pragma_index_list(?, 'main')", ['t'])).toEqual([['pk']]);
      expect(get().all('SELECT value FROM temp.json_each(?)', ['["a"]'])).toEqual([['a']]);
      expect(findTable(get(), 'f_data')).toMatchObject({ kind: 'shadow' });
    });

    it.each([
      ['a CHECK', 'CREATE TABLE t(a CHECK (load_extension(a)))'],
      ['a generated column', 'CREATE TABLE t(a, g AS (load_extension(a)) STORED)'],
      ['a DEFAULT', "CREATE TABLE t(a, g DEFAULT (load_extension('x')))"],
      ['an index', 'CREATE TABLE t(a); CREATE INDEX i ON t(load_extension(a))'],
      ['a view', "CREATE VIEW t(a) AS SELECT load_extension('x')"],
    ])('cannot load code by %s', (_, sql) => {
      expect(() => {
        runScript(get(), sql);
        get().run("INSERT INTO t(a) VALUES ('/tmp/evil.so')");
        get().all('SELECT * FROM t');
      }).toThrow(AppError);
      expect(get().one('SELECT 1')).toEqual([1]);
    });

    it('is not written to by SQL, whatever is switched on first', needs('settings'), () => {
      get().run('CREATE TABLE t(a)');
      get().run('CREATE VIRTUAL TABLE f USING fts5(a)');
      for (const sql of [
        'PRAGMA writable_schema = ON',
        'PRAGMA writable_schema(1)',
        'PRAGMA main.writable_schema = yes',
      ])
        get().run(sql);
      for (const sql of [
        "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 0, 'CREATE VIEW x AS SELECT 1')",
        'DELETE FROM sqlite_schema',
        "WITH x AS (SELECT 1) \v UPDATE main.sqlite_master SET sql = 'x'",
        'DROP TABLE sqlite_schema',
        "UPDATE f_data SET block = x'00'",
        'DELETE FROM f_content',
      ])
        thrownBy(() => get().run(sql));
      expect(get().all('SELECT name FROM sqlite_schema WHERE name IN (?, ?)', ['t', 'x'])).toEqual([['t']]);
    });

    it.each([
      ['pages of the file', "UPDATE sqlite_dbpage SET data = x'00' WHERE pgno = 1"],
      ['pages of the file, by another name', 'DELETE FROM main.sqlite_dbpage'],
      [
        'the schema, as if it were reset',
        "PRAGMA writable_schema = RESET; INSERT INTO sqlite_schema VALUES ('view', 'x', 'x', 0, '')",
      ],
      ['the schema, through an index', 'CREATE INDEX i ON sqlite_schema (sql)'],
      ['what a virtual table keeps, by dropping it', 'DROP TABLE f_data'],
      ['what a virtual table keeps, by renaming it', 'ALTER TABLE f_data RENAME TO x'],
      ['what a virtual table keeps, by a trigger', 'CREATE TRIGGER tr AFTER INSERT ON f_data BEGIN SELECT 1; END'],
      ['code', "SELECT load_extension('/tmp/evil.so')"],
      ['a tokenizer at an address', "SELECT fts3_tokenizer('simple', x'0000000000000000')"],
      ['another file, read', "SELECT readfile('/etc/passwd')"],
      ['another file, written', "SELECT writefile('/tmp/evil', 'x')"],
      ['another file, in a table', "CREATE VIRTUAL TABLE x USING csv(filename = '/etc/passwd')"],
      ['files of a folder', "SELECT * FROM fsdir('/')"],
      ['a command', "SELECT edit('x', 'true')"],
      ['another database', "ATTACH 'file:/tmp/evil.sqlite3?mode=rwc' AS o"],
      ['a folder for temporary files', "PRAGMA temp_store_directory = '/tmp'"],
    ])('gives no way to %s', needs('settings'), (_, sql) => {
      get().run('CREATE VIRTUAL TABLE f USING fts5(a)');
      get().run("INSERT INTO f VALUES ('one')");
      const before = get().all('SELECT * FROM sqlite_schema');
      expect(thrownBy(() => runScript(get(), sql))).toBeInstanceOf(AppError);
      expect(get().all('SELECT * FROM sqlite_schema')).toEqual(before);
      expect(get().all("SELECT a FROM f WHERE f MATCH 'one'")).toEqual([['one']]);
      expect(get().all('PRAGMA integrity_check')).toEqual([['ok']]);
    });

    it('whose expressions fail says so, and the rest of the database stays usable', () => {
      runScript(
        get(),
        `CREATE TABLE broken(a);
         CREATE TABLE huge(a);
         CREATE TABLE guarded(a CHECK (json_extract(a, '$.x') > 0));
         CREATE TABLE fine(a);
         INSERT INTO broken(a) VALUES ('{"x": 1}'), ('{');
         INSERT INTO huge(a) VALUES (2000000000);
         ALTER TABLE broken ADD COLUMN g AS (json(a));
         ALTER TABLE huge ADD COLUMN g AS (zeroblob(a));
         INSERT INTO fine VALUES (1)`,
      );
      expect(thrownBy(() => get().all('SELECT * FROM broken')).code).toBe('sql');
      expect(thrownBy(() => get().all('SELECT * FROM huge')).code).toBe('too-big');
      expect(thrownBy(() => get().run("INSERT INTO guarded VALUES ('{')")).code).toBe('sql');
      expect(thrownBy(() => get().run(`INSERT INTO guarded VALUES ('{"x": 0}')`)).code).toBe('constraint');
      expect(get().all('SELECT a FROM broken')).toHaveLength(2);
      expect(get().all('SELECT * FROM guarded, fine')).toEqual([]);
      expect(get().all('SELECT * FROM fine')).toEqual([[1]]);
    });

    it('refers to itself in vain', needs('recursive_triggers'), () => {
      for (const sql of [
        'CREATE TABLE t(a AS (b), b AS (a))',
        'CREATE TABLE t(a, b CHECK ((SELECT 1)))',
        'CREATE TABLE t(a, b AS ((SELECT 1)))',
      ])
        expect(thrownBy(() => (get().run(sql), get().all('SELECT * FROM t'))).code).toBe('sql');
      get().run('CREATE VIEW one AS SELECT * FROM two');
      get().run('CREATE VIEW two AS SELECT * FROM one');
      expect(thrownBy(() => get().all('SELECT * FROM one')).message).toContain('circularly');
      // A trigger that fires itself ends.
      get().run('PRAGMA recursive_triggers = ON');
      get().run('CREATE TABLE loop(a)');
      get().run('CREATE TRIGGER again AFTER INSERT ON loop BEGIN INSERT INTO loop VALUES (new.a + 1); END');
      thrownBy(() => get().run('INSERT INTO loop VALUES (1)'));
      expect(get().one('SELECT count(*) FROM loop')).toEqual([0]);
    });
  });

  describe('slow rows', needs('rows one by one'), () => {
    const fill = (sql: string): void => {
      runScript(get(), sql);
      get().run(INSERT_ROWS);
    };

    it('of a generated column can be stopped between two of them, and tell that they go on', () => {
      fill(`CREATE TABLE t(a, g AS (${SLOW} + a))`);
      let asked = 0;
      get().onProgress(() => ++asked >= 5);
      expect(thrownBy(() => get().all('SELECT g FROM t')).code).toBe('stopped');
      expect(asked).toBe(5);
      get().onProgress(null);
      expect(get().one('SELECT count(*) FROM t')).toEqual([ROWS]);
    });

    it('of a generated column end a slice of packing soon', () => {
      fill(`CREATE TABLE t(a, g AS (${SLOW} + a))`);
      const statement = get().prepare('SELECT g FROM t');
      const writer = new PackedRowsWriter(1, { expectedRows: ROWS });
      expect(statement.pack(writer, { maxRows: ROWS, deadlineMs: performance.now() })).toBe(true);
      expect(writer.finish().rowCount).toBeLessThan(17);
      statement.finalize();
    });

    it('of a CHECK can be stopped in the middle of a write, which is taken back', () => {
      runScript(get(), `CREATE TABLE t(a CHECK (${SLOW} > a)); CREATE TABLE other(a)`);
      const published: TransactionChanges[] = [];
      get().onCommit((changes) => published.push(changes));
      let asked = 0;
      get().onProgress(() => ++asked >= 5);
      expect(thrownBy(() => get().run(INSERT_ROWS)).code).toBe('stopped');
      get().onProgress(null);
      expect([get().one('SELECT count(*) FROM t'), get().autocommit, published]).toEqual([[0], true, []]);
      get().run('INSERT INTO other VALUES (1)');
      expect(published.map(({ tables }) => [...tables!.keys()])).toEqual([['other']]);
    });
  });
}

function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
}
