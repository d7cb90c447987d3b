// Indexes, views, triggers and virtual tables: the model against what SQLite says, and edits of indexes.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { seedCount } from '../seed-count.test-suite.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import {
  addIndexColumn,
  dropIndexColumn,
  moveIndexColumn,
  setIndexColumn,
  setIndexUnique,
  setIndexWhere,
} from './edit-index.ts';
import { sameName } from './names.ts';
import type { IndexModel } from './object-models.ts';
import { parseIndex, parseObject } from './parse-object.ts';
import { moveToTable, renameObject } from './text-edits.ts';

function index(sql: string): IndexModel {
  const model = parseIndex(sql);
  if (!model.understood) throw new Error(`${model.reason} in ${sql}`);
  return model;
}

const COLUMNS = ['a', 'with space', 'desc', 'end', 'q"q', 'collate'];
const TABLE = `CREATE TABLE "the table" (${COLUMNS.map((name) => `"${name.replaceAll('"', '""')}"`).join()})`;

function randomIndex(random: Random): string {
  const blank = (): string => random.pick([' ', ' ', '\n  ', ' /* , ( */ ', ' -- ), \n']);
  const name = (): string => {
    const column = random.pick(COLUMNS);
    return random.pick([`"${column.replaceAll('"', '""')}"`, `[${column}]`, `\`${column}\``]);
  };
  const expression = (): string =>
    random.pick([
      name(),
      name(),
      `${name()}${blank()}||${blank()}','`,
      `(${name()})`,
      `lower(${blank()}${name()}${blank()})`,
      `CASE WHEN ${name()} THEN 1 END`,
      `- ${name()}`,
    ]);
  const one = (): string =>
    `${expression()}${random.chance(0.3) ? `${blank()}COLLATE${blank()}NOCASE` : ''}${random.chance(0.4) ? `${blank()}${random.pick(['ASC', 'desc'])}` : ''}`;
  const list = Array.from({ length: random.between(1, 4) }, one).join(`${blank()},${blank()}`);
  const where = random.chance(0.3)
    ? `${blank()}WHERE${blank()}${name()} IS NOT NULL${random.chance(0.5) ? ` AND (${name()}) > 1` : ''}`
    : '';
  return `CREATE${random.chance(0.3) ? `${blank()}UNIQUE` : ''}${blank()}INDEX${blank()}"an index"${blank()}ON${blank()}"the table"(${list})${where}`;
}

type Fact = { name: string | null; desc: number; coll: string };

function factsOf(db: Database.Database): Fact[] {
  return db
    .prepare('SELECT name, "desc", coll FROM pragma_index_xinfo(\'an index\') WHERE key = 1 ORDER BY seqno')
    .all() as Fact[];
}

test('random indexes: the model says what index_list and index_xinfo say, and edits change what they are to', () => {
  const db = new Database(':memory:');
  db.exec(TABLE);
  const make = (sql: string): void => {
    db.exec('DROP INDEX IF EXISTS "an index"');
    db.exec(sql);
  };
  const facts = (model: IndexModel): unknown =>
    model.columns.map(({ column, order }) => ({ name: column?.name ?? null, desc: order === 'DESC' ? 1 : 0 }));
  for (let seed = 0; seed < seedCount(500); seed += 1) {
    const random = createRandom(seed);
    const sql = randomIndex(random);
    make(sql);
    const model = index(sql);
    const list = db.prepare('SELECT "unique", partial FROM pragma_index_list(\'the table\')').get();
    expect(list).toEqual({ unique: model.unique ? 1 : 0, partial: model.where ? 1 : 0 });
    expect(factsOf(db).map(({ name, desc }) => ({ name, desc }))).toEqual(facts(model));
    factsOf(db).forEach(({ coll }, at) => {
      const { collation, expression } = model.columns[at]!;
      if (!/collate/i.test(expression.sql)) expect(coll).toBe(collation?.name ?? 'BINARY');
    });

    const before = facts(model) as unknown[];
    const at = random.between(0, model.columns.length);
    make(addIndexColumn(model, at, { column: 'end', order: 'DESC' }));
    expect(factsOf(db).map(({ name, desc }) => ({ name, desc }))).toEqual(
      before.toSpliced(at, 0, { name: 'end', desc: 1 }),
    );
    const last = model.columns.length - 1;
    make(moveIndexColumn(model, last, 0));
    expect(factsOf(db).map(({ name, desc }) => ({ name, desc }))).toEqual([before[last], ...before.slice(0, -1)]);
    if (last > 0) make(dropIndexColumn(model, 0));
    if (last > 0) expect(factsOf(db)).toHaveLength(last);
    make(setIndexColumn(model, 0, { expression: 'abs(a)', collation: 'RTRIM' }));
    expect(factsOf(db)[0]).toEqual({ name: null, desc: 0, coll: 'RTRIM' });
    make(setIndexUnique(model, model.unique === null));
    expect(db.prepare('SELECT "unique" FROM pragma_index_list(\'the table\')').pluck().get()).toBe(
      model.unique ? 0 : 1,
    );
    expect(setIndexUnique(index(setIndexUnique(model, true)), false).includes('UNIQUE')).toBe(false);
    make(setIndexWhere(model, 'a > 1 -- ('));
    expect(index(setIndexWhere(model, 'a > 1 -- (')).where?.sql).toContain('a > 1');
    expect(index(setIndexWhere(model, null)).where).toBeNull();
    expect(setIndexWhere(model, model.where?.sql ?? null)).toBe(sql);
  }
  db.close();
});

test('names of indexes', () => {
  const model = index('CREATE INDEX i ON t(a)');
  const written = (expression: string): string => setIndexColumn(model, 0, { expression, collation: 'NOCASE' });
  expect(written('a || b')).toBe('CREATE INDEX i ON t((a || b) COLLATE NOCASE)');
  expect(written('(a || b)')).toBe('CREATE INDEX i ON t((a || b) COLLATE NOCASE)');
  expect(written("(a) || ')'")).toBe("CREATE INDEX i ON t(((a) || ')') COLLATE NOCASE)");
  expect(renameObject(model, 'order')).toBe('CREATE INDEX "order" ON t(a)');
  expect(moveToTable(model, 'u v')).toBe('CREATE INDEX i ON "u v"(a)');
  expect(setIndexWhere(index('CREATE INDEX i ON t(a) WHERE a > 1'), '')).toBe('CREATE INDEX i ON t(a)');
});

test('views, triggers and virtual tables', () => {
  const view = parseObject('CREATE TEMP VIEW "my view"(x, "y z") AS -- all\n SELECT a, b FROM t; -- end');
  expect(view).toMatchObject({
    kind: 'view',
    temporary: true,
    name: { name: 'my view' },
    columns: [{ name: 'x' }, { name: 'y z' }],
    query: { sql: 'SELECT a, b FROM t' },
  });
  const trigger = parseObject(
    "CREATE TRIGGER IF NOT EXISTS main.tr AFTER UPDATE OF a, [b c] ON t FOR EACH ROW WHEN (new.a = 'BEGIN') BEGIN UPDATE t SET a = CASE WHEN 1 THEN 2 END; SELECT 'END'; END",
  );
  expect(trigger).toMatchObject({
    kind: 'trigger', schema: { name: 'main' }, timing: 'AFTER', event: 'UPDATE', table: { name: 't' }, columns: [{ name: 'a' }, { name: 'b c' }],
    when: { sql: "(new.a = 'BEGIN')" }, body: { sql: "UPDATE t SET a = CASE WHEN 1 THEN 2 END; SELECT 'END';" },
  }); // prettier-ignore
  const fts = parseObject(
    `CREATE VIRTUAL TABLE docs USING fts5(title, "the body" UNINDEXED, tokenize = 'porter unicode61', content='', prefix='2 3')`,
  );
  expect(fts).toMatchObject({ kind: 'virtual', module: { name: 'fts5' } });
  if (!fts.understood || fts.kind !== 'virtual') throw new Error('not understood');
  expect(fts.arguments.map(({ option, column }) => column ?? `${option?.name}:${option?.value}`)).toEqual([
    'title', 'the body', 'tokenize:porter unicode61', 'content:', 'prefix:2 3',
  ]); // prettier-ignore
  const rtree = parseObject('CREATE VIRTUAL TABLE boxes USING rtree(id, minX, maxX, +label TEXT)');
  if (!rtree.understood || rtree.kind !== 'virtual') throw new Error('not understood');
  expect(rtree.arguments.map(({ column }) => column)).toEqual(['id', 'minX', 'maxX', 'label']);
  expect(parseObject('CREATE VIRTUAL TABLE v USING csv')).toMatchObject({ arguments: [] });
});

test('what is not understood says why and where', () => {
  const said = (sql: string): string => {
    const model = parseObject(sql);
    return model.understood ? 'understood' : `${model.reason} @${model.span.from}`;
  };
  expect(said('')).toBe('The statement ends too early. @0');
  expect(said('CREATE TABLE t(a,')).toBe('The statement ends too early. @17');
  expect(said('CREATE TABLE t(a, select INT)')).toBe(
    'select is a keyword: as the name of a column it needs quotes. @18',
  );
  expect(said('CREATE TABLE t AS SELECT 1')).toBe('The columns of this table come from a query. @15');
  expect(said('CREATE TABLE t(a); SELECT 1')).toBe('There is more text after the statement. @19');
  expect(said('CREATE TABLE t(a\0, b)')).toMatch(/NUL|Expected/);
  expect(said('CREATE TABLE t(a) \0')).toBe('The text has a NUL character, where SQLite stops reading. @18');
  expect(said('CREATE TABLE t(a CONSTRAINT x, b)')).toBe('Expected a column constraint here. @29');
  expect(said('CREATE TABLE t(a REFERENCES p NOT NULL DEFERRABLE)')).toBe(
    'DEFERRABLE must directly follow the REFERENCES clause that it applies to. @39',
  );
  expect(said('CREATE TABLE t(a CHECK (1)')).toBe('The statement ends too early. @26');
  expect(said('SELECT 1')).toBe('Expected CREATE here. @0');
  expect(sameName('\u00c4', '\u00e4')).toBe(false);
});
