import { expect, it } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { salvageInto } from './salvage-copy.ts';
import type { SalvageResult } from './salvage-copy.ts';

const { engine } = await createWasmEngine();
const open = (): Connection => engine.open(IN_MEMORY, { durability: 'full', create: true, untrusted: false });

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
  const [from, to] = [open(), open()];
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
