import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { Value } from '#shared/protocol/values.ts';
import {
  contentsOf,
  contentsOfConnection,
  databaseOf,
  ENGINES,
  exported,
  HAS_SHELL,
  readFile,
  temporaryFolder,
} from '../export/export-fixture.test-suite.ts';
import { sqlLiteral } from '../sql/literal.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';

/** Values that `.dump` of SQLite's own shell keeps: no NUL in text, no user_version. */
const KINDS = `
  CREATE TABLE plain (a, b TEXT, c REAL, d BLOB);
  INSERT INTO plain VALUES (1, 'it''s', 2.0, X'00FF'), (-9223372036854775808, 'a' || char(13, 10) || 'b', 1e999, X''),
    (9223372036854775807, 'é;--/*', -1e999, NULL), (9007199254740993, ' ', 5e-324, 'text');
  CREATE TABLE keyed (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE UNIQUE);
  INSERT INTO keyed (name) VALUES ('one'), ('two'), ('three'); DELETE FROM keyed WHERE id = 3;
  CREATE TABLE noid (k TEXT, n INT, PRIMARY KEY (n DESC, k)) WITHOUT ROWID;
  INSERT INTO noid VALUES ('x', 1), ('y', 2);
  CREATE TABLE calc (a INT, twice AS (a * 2), stored TEXT AS (a || '!') STORED);
  INSERT INTO calc (a) VALUES (1), (2);
  CREATE TABLE child (p INT REFERENCES keyed(id)); INSERT INTO child VALUES (99), (1);
  CREATE TABLE "odd ""name" ("a b" INT, "select" TEXT -- why; not
  ); INSERT INTO "odd ""name" VALUES (1, 'x');
  CREATE VIRTUAL TABLE notes USING fts5(title, body, tokenize = 'porter');
  INSERT INTO notes (rowid, title, body) VALUES (10, 'walk', 'walking the dog'), (20, 'run', 'it''s; nothing');
  CREATE VIRTUAL TABLE bare USING fts5(a, content = ''); INSERT INTO bare (rowid, a) VALUES (7, 'kept');
  CREATE TABLE mail (id INTEGER PRIMARY KEY, subject, text);
  INSERT INTO mail VALUES (5, 'hello', 'a letter'), (9, 'bye', 'the end');
  CREATE VIRTUAL TABLE mail_index USING fts5(subject, text, content='mail', content_rowid='id');
  INSERT INTO mail_index (mail_index) VALUES ('rebuild');
  CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
  INSERT INTO boxes VALUES (1, 0.5, 1.5, 2.25, 3.75), (7, -1, 1, -2, 2);
  CREATE INDEX plain_b ON plain (b) WHERE b <> ''; CREATE UNIQUE INDEX noid_n ON noid (n);
  CREATE VIEW both AS SELECT a, b FROM plain; CREATE VIEW broken AS SELECT nope FROM nowhere;
  CREATE TRIGGER mail_added AFTER INSERT ON mail WHEN new.id > 0 BEGIN
    INSERT INTO mail_index (rowid, subject, text) VALUES (new.id, new.subject, CASE WHEN 1 THEN ';' ELSE new.text END); SELECT 1; END;
`;

function withoutIncomparable(contents: Record<string, unknown>): Record<string, unknown> {
  // Values of an index without content cannot be read.
  const { bare: _bare, ...rest } = contents;
  return rest;
}

describe.each(PLACES)('files of SQL read by the %s engine', (name, place) => {
  test('a table with a collation that SQLite does not have keeps its rows, and compares them by bytes', async () => {
    const dump = `CREATE TABLE t (a TEXT COLLATE LOCALIZED NOT NULL, b INT);
INSERT INTO t VALUES ('x', 1);
/* of Android */ CREATE TABLE w (k TEXT COLLATE "UNICODE" PRIMARY KEY, v TEXT COLLATE NOCASE) WITHOUT ROWID;
INSERT INTO w VALUES ('y', 'z');
CREATE INDEX i ON t (a COLLATE LOCALIZED);
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements).toMatchObject([{ line: 5, reason: expect.stringContaining('LOCALIZED') }]);
    expect(contents.notes).toEqual([
      'The table of line 1 compares its text by bytes now. There is no collation sequence named “LOCALIZED”.',
      'The table of line 3 compares its text by bytes now. There is no collation sequence named “UNICODE”.',
    ]);
    expect(connection.all('SELECT * FROM t, w')).toEqual([['x', 1, 'y', 'z']]);
    expect(connection.one("SELECT sql FROM sqlite_schema WHERE name = 'w'")?.[0]).toContain('COLLATE NOCASE');
  });

  test.runIf(HAS_SHELL)('a dump by the shell of SQLite gives the same database', async () => {
    const file = join(temporaryFolder(), 'original.db');
    execFileSync('sqlite3', [file], { input: KINDS });
    const dump = execFileSync('sqlite3', [file, '.dump'], { encoding: 'utf8' });
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql).toMatchObject({ dialect: 'sqlite', notUnderstood: 0, statements: [] });
    const original = readFile(file);
    expect(withoutIncomparable(contentsOfConnection(connection))).toEqual(withoutIncomparable(contentsOf(original)));
    expect(connection.all("SELECT rowid FROM notes WHERE notes MATCH 'walks'")).toEqual([[10]]);
    expect(connection.all("SELECT rowid FROM bare WHERE bare MATCH 'kept'")).toEqual([[7]]);
    expect(connection.all("SELECT rowid FROM mail_index WHERE mail_index MATCH 'letter'")).toEqual([[5]]);
    expect(connection.all('SELECT id FROM boxes WHERE x0 < 0')).toEqual([[7]]);
    expect(connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
  });

  test.runIf(HAS_SHELL)('a dump with FTS4 gives it back, or says that there is no such module', async () => {
    const file = join(temporaryFolder(), 'original.db');
    execFileSync('sqlite3', [file], {
      input: "CREATE VIRTUAL TABLE old USING fts4(words); INSERT INTO old VALUES ('first words'), ('second');",
    });
    const { connection, contents } = await opened(
      place,
      execFileSync('sqlite3', [file, '.dump'], { encoding: 'utf8' }),
    );
    if (name === 'native') expect(connection.all("SELECT rowid FROM old WHERE old MATCH 'second'")).toEqual([[2]]);
    else expect(contents.sql!.statements).toMatchObject([{ line: 4, reason: 'There is no module named “fts4”.' }]);
  });

  test.each(ENGINES)('a dump of our own, by the %s engine, gives the same database', async (_engineName, engine) => {
    const original = databaseOf(
      engine,
      `PRAGMA user_version = 42; PRAGMA application_id = 77; PRAGMA foreign_keys = OFF; ${KINDS.replaceAll(/CREATE VIRTUAL TABLE bare[^;]*;[^;]*;/g, '')}
       INSERT INTO plain (rowid, a, b) VALUES (50, 'nul' || char(0) || 'after', char(0)); UPDATE plain SET rowid = 70 WHERE rowid = 2; ANALYZE;`,
    );
    const dump = exported(original, { kind: 'database' }, 'dump');
    const { connection, contents } = await opened(place, dump.bytes);
    expect(contents.sql).toMatchObject({ notUnderstood: 0, statements: [] });
    expect(contentsOfConnection(connection)).toEqual(contentsOfConnection(original));
    expect(connection.all("SELECT rowid FROM mail_index WHERE mail_index MATCH 'letter'")).toEqual([[5]]);
  });

  test('no statement writes the pages of the file, and text that speaks of them is only text', async () => {
    const { connection, contents } = await opened(
      place,
      `CREATE TABLE t (a); INSERT INTO t VALUES ('on sqlite_dbpage');
       UPDATE sqlite_dbpage SET data = zeroblob(4096) WHERE pgno = 2;
       DELETE FROM main."SQLite_DBPage";
       CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE sqlite_dbpage SET data = x''; END;
       INSERT INTO t VALUES (2);`,
    );
    const reason = 'It would write the pages of the file themselves, which could damage the database.';
    expect(contents.sql!.statements).toMatchObject([
      { line: 2, reason },
      { line: 3, reason },
      { line: 4, reason },
    ]);
    expect(connection.all('SELECT a FROM t')).toEqual([['on sqlite_dbpage'], [2]]);
    expect(connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
  });

  const MODULE = 'CREATE VIRTUAL TABLE n USING sqlite_dbpage';
  test.each([
    ['in a row of the schema', `'${MODULE}'`],
    ['in parts', `'CREATE VIRTUAL TABLE n USING sqlite_' || 'dbpage'`],
    ['in hexadecimal', `CAST(x'${Buffer.from(MODULE).toString('hex')}' AS TEXT)`],
  ])('no virtual table writes pages whose definition is %s', async (_how, sql) => {
    const { connection, contents } = await opened(
      place,
      `CREATE TABLE t (a); INSERT INTO t VALUES (1);
       PRAGMA writable_schema=ON;
       INSERT INTO sqlite_schema (type,name,tbl_name,rootpage,sql) VALUES ('table','n','n',0,${sql});
       UPDATE n SET data = zeroblob(4096) WHERE pgno = 2;
       PRAGMA writable_schema=OFF;
       UPDATE n SET data = zeroblob(4096) WHERE pgno = 2;`,
    );
    const [first, second] = contents.sql!.statements;
    expect(first).toMatchObject({
      line: 3,
      reason: expect.stringMatching(/^It (?:would write|writes to) /) as unknown,
    });
    expect(second).toMatchObject({ line: 4, reason: 'There is no table named “n”.' });
    expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
    expect(connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
  });

  test('random values come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(VALUE, { minLength: 4, maxLength: 4 }), { maxLength: 60 }), async (rows) => {
        const inserts = rows.map((row) => `INSERT INTO t VALUES (${row.map(sqlLiteral).join(', ')});`).join('\n');
        const original = databaseOf(ENGINES[0]![1], `CREATE TABLE t (a, b TEXT, c INTEGER, d REAL); ${inserts}`);
        const { connection } = await opened(place, exported(original, { kind: 'database' }, 'dump').bytes);
        expect(contentsOfConnection(connection)).toEqual(contentsOfConnection(original));
      }),
      { seed: 13, numRuns: seedCount(12) },
    );
  });

  test('text that is not UTF-8, or holds a NUL, stays what it is', async () => {
    const bytes = Buffer.concat([
      Buffer.from("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('"),
      Buffer.from([0x61, 0xff, 0x27, 0x27, 0x62]),
      Buffer.from("'), ('x\0y'), ('é');"),
    ]);
    const { connection, contents } = await opened(place, bytes, { encoding: 'utf-8' });
    expect(contents.sql!.statements).toEqual([]);
    expect(connection.all('SELECT hex(a) FROM t')).toEqual([['61FF2762'], ['780079'], ['C3A9']]);
  });

  test('what is not understood is told with its line, and the rest is read', async () => {
    const dump = `.mode list
CREATE TABLE t (id INTEGER PRIMARY KEY, a);
ATTACH 'x.db' AS x;
INSERT INTO t VALUES (1, 'one'), (2, 'two');
SELECT load_extension('evil');
INSERT INTO t VALUES (3, 'three'), (2, 'again');
INSERT INTO nowhere VALUES (1);
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = 'garbage' WHERE name = 't';
INSERT INTO sqlite_schema VALUES ('table', 'evil', 'evil', 3, 'CREATE TABLE evil (x)');
INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','v','v',0,'CREATE VIRTUAL TABLE v USING fts5(a); DROP TABLE t');
VACUUM INTO 'copy.db';
WIBBLE;
EXPLAIN PRAGMA writable_schema = ON;
PRAGMA encoding = 'UTF-16';
INSERT INTO t VALUES (4, 'four')`;
    const { connection, contents } = await opened(place, dump);
    expect(connection.all('SELECT * FROM t')).toEqual([
      [1, 'one'],
      [2, 'two'],
      [4, 'four'],
    ]);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([1, 3, 5, 6, 7, 9, 10, 11, 12, 13, 14]);
    expect(contents.sql!.statements.map(({ reason }) => reason)).toEqual([
      'It is a command of the program sqlite3, not SQL.',
      'It would open another database file.',
      'It is a query, which adds nothing.',
      'Another row of “t” already has this “id”.',
      'There is no table named “nowhere”.',
      'Table sqlite_master may not be modified.',
      'It writes to the schema table, which could damage the database.',
      'It writes to the schema table, which could damage the database.',
      'It would write another database file.',
      'SQLite has no statement that begins with “WIBBLE”.',
      'It is a query, which adds nothing.',
    ]);
    expect(contents.objects.map((object) => object.name)).toEqual(['t']);
    expect(connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
  });

  test.each([
    ['cut off in a statement', "CREATE TABLE t (a);\nINSERT INTO t VALUES (1);\nINSERT INTO t VALUES ('two", [3], 1],
    ['an unclosed quote', "CREATE TABLE t (a);\nINSERT INTO t VALUES ('one);\nINSERT INTO t VALUES (2);\n", [2], 0],
    ['cut off in a transaction', 'CREATE TABLE t (a);\nBEGIN;\nINSERT INTO t VALUES (1);\n', [], 1],
    [
      'a rollback of a damaged database',
      'BEGIN;\nCREATE TABLE t (a);\nINSERT INTO t VALUES (1);\nROLLBACK; -- due to errors\n',
      [],
      1,
    ],
  ])('%s', async (_case, dump, lines, rows) => {
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual(lines);
    expect(connection.one('SELECT count(*) FROM t')).toEqual([rows]);
    expect(contents.sql!.notUnderstood + contents.notes.length).toBeGreaterThan(0);
  });

  test('a rollback of the file is one', async () => {
    const { connection, contents } = await opened(
      place,
      'CREATE TABLE t (a); BEGIN; INSERT INTO t VALUES (1); ROLLBACK; INSERT INTO t VALUES (2);',
    );
    expect(connection.all('SELECT a FROM t')).toEqual([[2]]);
    expect(contents.notes.join()).toContain('undoes everything');
  });

  test('a row that a constraint refuses with ROLLBACK loses nothing silently', async () => {
    const dump =
      'CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK);\nINSERT INTO t VALUES (1);\nINSERT INTO t VALUES (1);\n';
    await expect(opened(place, dump)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('line 3'),
    });
  });

  test('statements of a megabyte, and a file in UTF-16', async () => {
    const rows = Array.from({ length: 60_000 }, (_, row) => `(${row},'value ${row}')`).join(',');
    const sql = `CREATE TABLE t (a INTEGER PRIMARY KEY, b);\nINSERT INTO t VALUES ${rows};\nINSERT INTO t VALUES (99999999, 'ü');`;
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(sql, 'utf16le')]);
    for (const bytes of [Buffer.from(sql), wide]) {
      const { connection, contents } = await opened(place, bytes);
      expect(contents.objects).toMatchObject([{ name: 't', rows: 60_001 }]);
      expect(connection.one('SELECT b FROM t WHERE a = 99999999')).toEqual(['ü']);
    }
  });

  test('nothing is left of a file that cannot be read', async () => {
    expect(name).toBeTypeOf('string');
    const damaged = Buffer.alloc(4096, 7);
    damaged.write('SQLite format 3\0', 'latin1');
    await expect(opened(place, damaged, { name: 'bad.db' })).rejects.toMatchObject({
      code: expect.stringMatching(/corrupt|too-new/),
    });
  });
});

describe.each(PLACES)('other SQLite files read by the %s engine', (_name, place) => {
  test('have their tables', async () => {
    const file = join(temporaryFolder(), 'other.db');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA foreign_keys = OFF');
    database.exec(KINDS.replaceAll(/CREATE VIRTUAL TABLE bare[^;]*;[^;]*;/g, ''));
    database.close();
    const { contents } = await opened(place, readBytes(file), { name: 'other.db' });
    expect(contents.sql).toBeNull();
    expect(contents.objects.find((object) => object.name === 'mail')).toMatchObject({
      kind: 'table',
      rows: 2,
      columns: ['id', 'subject', 'text'],
      triggers: 1,
    });
    expect(contents.objects.find((object) => object.name === 'plain')).toMatchObject({ rows: 4, indexes: 1 });
    expect(contents.objects.find((object) => object.name === 'broken')?.kind).toBe('view');
  });

  test.each(['UTF-16le', 'UTF-16be'])(
    'in %s are read where the engine can, and refused with a sentence elsewhere',
    async (encoding) => {
      const file = join(temporaryFolder(), 'wide.db');
      const database = new DatabaseSync(file);
      database.exec(
        `PRAGMA encoding = '${encoding}'; CREATE TABLE t (a, b BLOB); INSERT INTO t VALUES ('Zürich 😀', x'00ff'), ('', 1.5);`,
      );
      database.close();
      if (place.readsUtf16 !== true) {
        await expect(opened(place, readBytes(file), { name: 'wide.db' })).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('UTF-16'),
        });
        return;
      }
      const { connection, contents } = await opened(place, readBytes(file), { name: 'wide.db' });
      expect(contents.objects).toMatchObject([{ name: 't', rows: 2 }]);
      expect(connection.all('SELECT a, hex(b), typeof(b) FROM t')).toEqual([
        ['Zürich 😀', '00FF', 'blob'],
        ['', '312E35', 'real'],
      ]);
    },
  );

  test('encrypted or damaged are refused with a sentence', async () => {
    const random = crypto.getRandomValues(new Uint8Array(8192));
    await expect(opened(place, random, { name: 'secret.db' })).rejects.toMatchObject({
      code: 'not-a-database',
      message: expect.stringContaining('encrypted'),
    });
  });
});

const readBytes = (file: string): Uint8Array => new Uint8Array(readFileSync(file));

const VALUE: fc.Arbitrary<Value> = fc.oneof(
  fc.constant(null),
  fc
    .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    .map((value) => (Number.isSafeInteger(Number(value)) ? Number(value) : value)),
  fc.double({ noNaN: true }).map((real) => ({ real })),
  fc.string({
    unit: fc.constantFrom(
      'a',
      "'",
      '"',
      '\n',
      '\r',
      '\0',
      'é',
      '😀',
      '\\',
      'r',
      ';',
      '-',
      ',',
      '.',
      '/',
      '*',
      '[',
      '`',
    ),
  }),
  fc.uint8Array({ maxLength: 20 }),
);

describe.each(PLACES)('what else is in files, read by the %s engine', (_name, place) => {
  test('texts of a dump that are not UTF-8 keep their bytes, and those of another file are read as its text', async () => {
    const rows = Buffer.from(
      "CREATE TABLE t (a);\nINSERT INTO t VALUES ('a\xff'), ('\xc3\xa9'), ('\xe9');\n",
      'latin1',
    );
    const dump = Buffer.concat([
      Buffer.from('PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n'),
      rows,
      Buffer.from('COMMIT;\n'),
    ]);
    const { connection } = await opened(place, Uint8Array.from(dump));
    expect(connection.all('SELECT hex(a) FROM t')).toEqual([['61FF'], ['C3A9'], ['E9']]);
    const { contents } = await opened(place, Uint8Array.from(Buffer.concat([Buffer.from('-- ä\n', 'latin1'), rows])));
    expect(contents.notes.join()).toMatch(/was read as [\w-]+, because its bytes are not UTF-8/);
  });

  test('rows of a virtual table before those of its own tables end nothing', async () => {
    const dump = `BEGIN TRANSACTION;
PRAGMA writable_schema=ON;
INSERT INTO sqlite_master(type,name,tbl_name,rootpage,sql)VALUES('table','r','r',0,'CREATE VIRTUAL TABLE r USING rtree(id, x0, x1)');
INSERT INTO "r" VALUES(1,0.5,1.5);
INSERT INTO "r_node" VALUES(1,X'00000001000000000000000100000000${'00'.repeat(1208)}');
CREATE TABLE t (a);
INSERT INTO t VALUES (1);
COMMIT;
`;
    const { connection, contents } = await opened(place, dump);
    expect(contents.sql!.statements.map(({ line }) => line)).toEqual([4]);
    expect(connection.all('SELECT a FROM t')).toEqual([[1]]);
  });
});
