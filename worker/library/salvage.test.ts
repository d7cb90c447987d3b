import { expect, it } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { salvageInto } from './salvage.ts';
import type { SalvageResult } from './salvage.ts';

const { engine } = await createWasmEngine();
const open = (): Connection => engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });
/** Opens a database as a salvage does. */
const openNew = (): Connection => engine.open(IN_MEMORY, { durability: 'balanced', create: true });

function salvage(from: Connection, to: Connection): SalvageResult {
  const steps = salvageInto(from, to);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const SCHEMA = `
  CREATE TABLE "odd ""name""" ("select" TEXT, rowid INTEGER, g AS (1 + 1));
  CREATE TABLE keyed (a TEXT, b INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID;
  CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT, v);
  CREATE TABLE gaps (v);
  CREATE VIRTUAL TABLE words USING fts5(body);
  CREATE INDEX by_v ON counted(v);
  CREATE VIEW seen AS SELECT v FROM counted;
  CREATE TRIGGER grow AFTER INSERT ON gaps BEGIN INSERT INTO counted(v) VALUES ('by trigger'); END;`;

it('copies every kind of table, keys and hidden rowids, and makes the rest of the schema again', () => {
  const [from, to] = [open(), openNew()];
  const script = from.script(SCHEMA);
  for (let statement = script.next(); statement; statement = script.next()) statement.step();
  from.run(`INSERT INTO "odd ""name""" VALUES ('x', 9)`);
  from.run("INSERT INTO keyed VALUES ('a', 1), ('b', 2)");
  from.run("INSERT INTO counted VALUES (5, 'five'), (900, x'00ff')");
  from.run('DELETE FROM counted WHERE id = 900');
  from.run("INSERT INTO gaps(rowid, v) VALUES (-3, 9007199254740993), (70, 2.0), (4000000000, CAST(x'61ff' AS TEXT))");
  from.run("INSERT INTO words VALUES ('hello world')");
  const { tables, notes } = salvage(from, to);
  expect(notes).toEqual([]);
  expect(tables.every(({ complete }) => complete)).toBe(true);
  const queries = [
    `SELECT "select", rowid, g FROM "odd ""name"""`,
    'SELECT * FROM keyed',
    'SELECT * FROM counted',
    'SELECT rowid, v, typeof(v) FROM gaps ORDER BY rowid',
    'SELECT * FROM sqlite_sequence',
    "SELECT rowid, body FROM words('hello')",
    'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name',
    'SELECT * FROM seen',
  ];
  for (const sql of queries) expect(to.all(sql)).toEqual(from.all(sql));
  expect(to.all('PRAGMA integrity_check')).toEqual([['ok']]);
});

/** Rows of the schema that only a hostile file has. */
const HOSTILE: readonly (readonly [type: string, name: string, sql: string])[] = [
  ['table', 'deletes', 'DELETE FROM keep'],
  ['table', 'copies', 'CREATE TABLE copies AS SELECT * FROM keep'],
  ['table', 'another', 'CREATE TABLE "not another"(a)'],
  ['table', 'passing', 'CREATE TEMP TABLE passing(a)'],
  ['table', 'late', '/* */ CREATE VIRTUAL TABLE late USING fts5(a)'],
  ['table', 'setting', 'PRAGMA user_version = 77'],
  ['table', 'two', 'CREATE TABLE two(a); DELETE FROM keep'],
  ['table', 'blank', '-- nothing'],
  ['table', 'virtual', 'CREATE VIRTUAL TABLE other USING fts5(a)'],
  ['index', 'inserts', 'INSERT INTO keep VALUES (99)'],
  ['index', 'drops', 'DROP TABLE keep'],
  ['view', 'attaches', "ATTACH ':memory:' AS m"],
  ['view', 'table_as_view', 'CREATE TABLE table_as_view(a)'],
  ['trigger', 'vacuums', 'VACUUM'],
  ['trigger', 'begins', 'BEGIN'],
  ['trigger', 'index_as_trigger', 'CREATE INDEX index_as_trigger ON keep(a)'],
  ['pragma', 'of no kind', 'DELETE FROM keep'],
];

it('runs nothing of a hostile schema but the CREATE of the object it stands for', () => {
  const [from, to] = [open(), openNew()];
  from.run('CREATE TABLE keep(a CHECK (abs(a) < 100), b AS (upper(a)), UNIQUE (a))');
  from.run('CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT)');
  from.run('CREATE INDEX half ON keep(lower(a)) WHERE a > 1');
  from.run('CREATE VIEW seen AS SELECT a FROM keep');
  from.run('CREATE TRIGGER grow AFTER DELETE ON keep BEGIN INSERT INTO counted VALUES (NULL); END');
  from.run('INSERT INTO keep VALUES (1), (2)');
  const sound = from.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name');
  from.run('PRAGMA writable_schema = ON');
  for (const [type, name, sql] of HOSTILE)
    from.run('INSERT INTO sqlite_schema VALUES (?, ?, ?, 0, ?)', [type, name, name, sql]);
  const { tables, notes } = salvage(from, to);
  expect(tables.map(({ name, rowsSaved }) => [name, rowsSaved])).toEqual([
    ['keep', 2],
    ['counted', 0],
  ]);
  const refused = HOSTILE.filter(([type]) => type !== 'pragma');
  for (const [, name] of refused) expect(notes.join('\n')).toContain(`“${name}”`);
  expect(notes).toHaveLength(refused.length);
  expect(to.all('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name')).toEqual(sound);
  expect(to.all('SELECT a FROM keep')).toEqual([[1], [2]]);
  expect(to.all('SELECT name FROM pragma_database_list')).toEqual([['main']]);
  expect(to.all('SELECT name FROM temp.sqlite_schema')).toEqual([]);
  expect(to.one('PRAGMA user_version')).toEqual([0]);
  expect(to.autocommit).toBe(true);
  expect(to.one('PRAGMA trusted_schema')).toEqual([0]);
  // Defensive again after the virtual tables: writing to the schema is refused.
  to.run('PRAGMA writable_schema = ON');
  expect(() => to.run('DELETE FROM sqlite_schema')).toThrow();
});

it('reads a damaged file without being able to write to it', () => {
  const from = engine.open(IN_MEMORY, { durability: 'balanced', create: true, tolerant: true });
  expect(from.one('PRAGMA trusted_schema')).toEqual([0]);
  expect(() => from.run('CREATE TABLE t(a)')).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

it.each([
  ['rows are saved', 'CREATE TABLE t(a CHECK (length(hex(a)) >= 0))'],
  ['generated columns are worked out', 'CREATE TABLE t(a, b AS (hex(a)) STORED)'],
  ['an index is made', 'CREATE TABLE t(a)', 'CREATE INDEX i ON t(hex(a))'],
])('is stopped while %s, and says so', (_, ...schema) => {
  const [from, to] = [open(), openNew()];
  for (const sql of schema) from.run(sql);
  from.run(
    'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t(a) SELECT i FROM n',
  );
  const steps = salvageInto(from, to);
  let stopping = schema.length === 1;
  to.onProgress(() => stopping);
  const run = (): void => {
    for (let step = steps.next(); !step.done; step = steps.next()) stopping ||= step.value.phase !== 'Saving rows';
  };
  expect(run).toThrow(expect.objectContaining({ code: 'stopped' }));
  expect(to.autocommit).toBe(true);
});
