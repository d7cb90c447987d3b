// A database is exported with objects that SQLite cannot use here, and without rows that cannot be read, which the notes name.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Connection, Engine } from '../engines/engine.ts';
import { openStrange, STRANGE_SCHEMA } from '../engines/strange-schema.test-suite.ts';
import { IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import {
  ENGINES,
  exported,
  exportedFile,
  native,
  readDump,
  readFile,
  temporaryFolder,
} from './export-fixture.test-suite.ts';

const DATABASE = { kind: 'database' } as const;

function open(engine: Engine, sql: string): Connection {
  const connection = openStrange(engine, engine === native ? join(temporaryFolder(), 'strange.db') : IN_MEMORY, sql);
  onTestFinished(() => connection.close());
  return connection;
}

async function fileOf(connection: Connection) {
  const { bytes, notes } = await exportedFile(connection, DATABASE, 'sqlite');
  const path = join(temporaryFolder(), 'out.sqlite');
  writeFileSync(path, bytes);
  return { notes, read: readFile(path) };
}

describe.each(ENGINES)('the %s engine', (_, engine) => {
  test('keeps views and triggers that do not compile, and the numbers of the file', async () => {
    const connection = open(
      engine,
      `PRAGMA application_id = 1196444487; PRAGMA user_version = 10300;
       CREATE TABLE t (a); INSERT INTO t VALUES (1);
       CREATE VIEW gone AS SELECT x FROM nowhere; CREATE VIEW quoted AS SELECT a || "x" FROM t;
       CREATE TRIGGER far AFTER INSERT ON t BEGIN INSERT INTO nowhere VALUES (ST_MinX(NEW.a)); END`,
    );
    const { notes, read } = await fileOf(connection);
    expect(notes).toEqual([]);
    const schema = 'SELECT type, name, sql FROM sqlite_schema ORDER BY name';
    expect(read(schema)).toEqual(connection.all(schema));
    expect(read('SELECT * FROM t')).toEqual([[1n]]);
    expect([read('PRAGMA application_id'), read('PRAGMA user_version')]).toEqual([[[1196444487n]], [[10300n]]]);
  });

  test('goes on after tables that SQLite cannot read here', async () => {
    const connection = open(engine, STRANGE_SCHEMA);
    const { notes, read } = await fileOf(connection);
    expect(notes.join('\n')).toContain('Rows of "keyed" are missing, because they cannot be read.');
    expect(notes.join('\n')).not.toContain('foreign_words');
    const foreign = "SELECT sql FROM sqlite_schema WHERE name LIKE 'foreign\\_words%' ESCAPE '\\' ORDER BY name";
    expect(read(foreign)).toEqual(connection.all(foreign));
    expect(read('SELECT count(*) FROM foreign_words_data')).toEqual([[2n]]);
    expect(notes.join('\n')).toContain('The table “indexed” compares its text by bytes in the file.');
    expect(notes.join('\n')).toContain('The rows of “words” are in a plain table instead.');
    expect(read('SELECT * FROM plain')).toHaveLength(2);
    expect(read("SELECT name FROM pragma_table_info('indexed') WHERE pk = 1")).toEqual([['id']]);
    expect(read('SELECT x FROM words')).toEqual([['hello']]);
    expect(read('SELECT * FROM indexed')).toHaveLength(3);
    const dump = exported(connection, DATABASE, 'dump');
    expect(dump.notes.join('\n')).toContain('Rows of "keyed" are missing');
    expect(dump.text).toContain('-- Rows of "keyed" are missing');
    expect(dump.isPartial).toBe(true);
    expect(dump.text.match(/INSERT INTO "indexed"/g)).toHaveLength(3);
    expect(dump.text).toMatch(/COMMIT;\n$/);
    expect(dump.text).toContain("VALUES('table', 'foreign_words', 'foreign_words', 0, 'CREATE VIRTUAL TABLE");
  });

  test('goes on after an R-Tree that is broken', async () => {
    const connection = open(
      engine,
      `CREATE VIRTUAL TABLE area USING rtree(id, x0, x1); INSERT INTO area VALUES (1, 2, 3);
       CREATE TABLE z (a); INSERT INTO z VALUES (5); UPDATE area_node SET data = x'00'`,
    );
    const { notes, read } = await fileOf(connection);
    expect(notes).toEqual([expect.stringContaining('Rows of "area" are missing')]);
    expect(read('SELECT * FROM z')).toEqual([[5n]]);
    const dump = exported(connection, DATABASE, 'dump');
    expect(dump.notes).toEqual([expect.stringContaining('Rows of "area" are missing')]);
    expect(readDump(dump.text)('SELECT * FROM z')).toEqual([[5n]]);
  });

  test('dumps a table with as many columns as a result can have', async () => {
    const names = Array.from({ length: 2000 }, (__, at) => `c${at}`).join(', ');
    const values = Array.from({ length: 2000 }, (__, at) => at).join(', ');
    const connection = open(engine, `CREATE TABLE wide (${names}); INSERT INTO wide VALUES (${values})`);
    const dump = exported(connection, DATABASE, 'dump');
    expect(dump.notes).toEqual([expect.stringContaining('The row ids of "wide" are not in this dump')]);
    expect(readDump(dump.text)('SELECT c0, c1999 FROM wide')).toEqual([[0n, 1999n]]);
    expect((await fileOf(connection)).read('SELECT c0, c1999 FROM wide')).toEqual([[0n, 1999n]]);
  });
});
