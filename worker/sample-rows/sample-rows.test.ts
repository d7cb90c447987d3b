// Sample rows on both engines: the same from the same seed, satisfying every constraint, or none at all.
import { expect, test } from 'vitest';
import { KNOWN_SCHEMAS } from '#shared/ddl/known-schemas.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { SampleColumn, SamplePlan } from '#shared/protocol/sample-rows.ts';
import { suggestColumns } from '#shared/sample-rows/suggest.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import { endlessTurn, finish, testEngines } from '../schema-change/engines.test-suite.ts';
import { insertSampleRows } from './insert-rows.ts';
import { previewSampleRows } from './preview.ts';
import { readFacts } from './read-facts.ts';

const SHOP = [
  `CREATE TABLE customer (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, email TEXT UNIQUE NOT NULL COLLATE NOCASE, status TEXT CHECK (status IN ('new', 'old')),
     born DATE, age INT CHECK (age BETWEEN 18 AND 99), code VARCHAR(6), photo BLOB, "boss" REFERENCES customer, joined_at TEXT DEFAULT CURRENT_TIMESTAMP,
     initials TEXT AS (substr(name, 1, 1)), score REAL CHECK (score >= 0 AND score < 10)) STRICT`
    .replace(' DATE', ' TEXT')
    .replace('VARCHAR(6)', 'TEXT CHECK (code IS NULL OR length(code) <= 6)')
    .replace('REFERENCES', 'INTEGER REFERENCES')
    .replace('initials TEXT AS', 'initials TEXT GENERATED ALWAYS AS'),
  'CREATE TABLE product (sku TEXT, version INT, price DECIMAL(10, 2), PRIMARY KEY (sku, version)) WITHOUT ROWID',
  `CREATE TABLE "order line" (customer_id INT NOT NULL REFERENCES customer, sku TEXT NOT NULL, version INT NOT NULL, line INT, quantity INT NOT NULL CHECK (quantity > 0),
     PRIMARY KEY (customer_id, line), FOREIGN KEY (sku, version) REFERENCES product)`,
  'CREATE TABLE log (what TEXT)',
  'CREATE TRIGGER noted AFTER INSERT ON customer BEGIN INSERT INTO log VALUES (new.name); END',
];

function open(engine: (typeof testEngines)[number], sql: readonly string[]): Connection {
  const connection = engine.open();
  connection.run('PRAGMA foreign_keys = ON');
  for (const statement of sql) connection.run(statement);
  return connection;
}

function planFor(connection: Connection, table: string, part: Partial<SamplePlan> = {}): SamplePlan {
  return { table, rows: 200, seed: 7, columns: suggestColumns(readFacts(connection, table).facts), ...part };
}

const fill = (connection: Connection, plan: SamplePlan) =>
  finish(insertSampleRows(endlessTurn(connection), plan, () => undefined));

function failure(attempt: () => unknown): AppError {
  try {
    attempt();
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    return error as AppError;
  }
  throw new Error('It did not fail.');
}

test('what is suggested fills tables that refer to each other, and both engines make the same rows', () => {
  const dumps = testEngines.map((engine) => {
    const connection = open(engine, SHOP);
    for (const table of ['customer', 'product', 'order line']) {
      const plan = planFor(connection, table, { rows: 3000 });
      const preview = previewSampleRows(connection, plan, 20);
      expect(preview.problem).toBeNull();
      expect(fill(connection, plan)).toMatchObject({ table, inserted: 3000, skipped: 0 });
      const order = table === 'customer' ? 'id' : table === 'product' ? 'sku, version' : 'rowid';
      const sorted = (rows: readonly unknown[]): unknown => rows.map((row) => JSON.stringify(row)).sort();
      const stored = connection.all(`SELECT * FROM "${table}" ORDER BY ${order}`);
      // Rows of the preview are in the table, and first where row ids follow the order of inserting.
      if (table === 'product')
        expect(stored.map((row) => JSON.stringify(row))).toEqual(expect.arrayContaining(preview.rows.map((row) => JSON.stringify(row)))); // prettier-ignore
      else expect(sorted(preview.rows)).toEqual(sorted(stored.slice(0, 20)));
    }
    expect(connection.all('PRAGMA foreign_key_check')).toEqual([]);
    expect(connection.one('SELECT count(*) FROM log')).toEqual([3000]);
    expect(connection.one('SELECT count(DISTINCT boss) > 100, count(*) > count(boss) FROM customer')).toEqual([1, 1]);
    const dump = dumpDatabase(connection);
    connection.close();
    return dump;
  });
  expect(dumps[0]).toBe(dumps[1]);
});

test.each(testEngines)(
  'another seed gives other rows, and more rows continue after those that are there, $name',
  (engine) => {
    const connection = open(engine, SHOP);
    fill(connection, planFor(connection, 'customer'));
    const first = connection.all('SELECT name FROM customer ORDER BY id');
    fill(connection, planFor(connection, 'customer', { seed: 8 }));
    expect(connection.one('SELECT count(*), min(id), max(id) FROM customer')).toEqual([400, 1, 400]);
    expect(connection.all('SELECT name FROM customer WHERE id > 200 ORDER BY id')).not.toEqual(first);
    connection.close();
  },
);

test.each(testEngines)(
  'rows that break a constraint are made again, and after many attempts nothing is changed, $name',
  (engine) => {
    const connection = open(engine, [
      'CREATE TABLE t (a INT CHECK (a % 3 = 0), b INT, UNIQUE (b))',
      "INSERT INTO t SELECT 3, value FROM json_each('[1,2,3,4,5,6,7,8,9,10]')",
    ]);
    const columns: readonly SampleColumn[] = [
      { name: 'a', source: { kind: 'integer', from: 0, to: 100 }, nullPercent: 0 },
      { name: 'b', source: { kind: 'integer', from: 1, to: 150 }, nullPercent: 0 },
    ];
    const plan = { table: 't', rows: 90, seed: 1, columns };
    const reply = fill(connection, plan);
    expect(reply.inserted).toBe(90);
    expect(reply.repeated).toBeGreaterThan(90);
    const before = dumpDatabase(connection);
    const error = failure(() => fill(connection, { ...plan, rows: 60 }));
    expect(error).toMatchObject({ code: 'constraint' });
    expect(error.message).toMatch(/^Row \d+ could not be inserted after 100 attempts .* Nothing was changed\./);
    expect(failure(() => fill(connection, { ...plan, rows: 151 })).message).toContain('there are only 150 values');
    expect(previewSampleRows(connection, { ...plan, rows: 60 }, 60).problem).toMatch(/^Row \d+ could not be inserted/);
    expect(dumpDatabase(connection)).toBe(before);
    expect(connection.autocommit).toBe(true);
    connection.close();
  },
);

test.each(testEngines)('Stop leaves everything as it was, $name', (engine) => {
  const connection = open(engine, SHOP);
  const before = dumpDatabase(connection);
  let slices = 0;
  const turn = {
    ...endlessTurn(connection),
    get stopRequested() {
      return slices > 3;
    },
  };
  const steps = insertSampleRows(turn, planFor(connection, 'customer', { rows: 500_000 }), () => undefined);
  const error = failure(() => {
    while (!steps.next().done) slices++;
  });
  expect(error).toMatchObject({
    code: 'stopped',
    message: 'Inserting sample rows was stopped. Everything is as it was before.',
  });
  expect(slices).toBeLessThan(6);
  expect(dumpDatabase(connection)).toBe(before);
  connection.close();
});

test.each(testEngines)('says what is missing before anything is tried, $name', (engine) => {
  const connection = open(engine, SHOP);
  connection.run('CREATE VIEW v AS SELECT 1 AS a');
  expect(failure(() => readFacts(connection, 'v')).message).toContain('“v” is not a table');
  const lines = planFor(connection, 'order line');
  expect(failure(() => fill(connection, lines)).message).toContain('refers to “customer”, which has no rows. Fill that table first.'); // prettier-ignore
  const nothing = lines.columns.map((column) => ({ ...column, source: { kind: 'default' } as const }));
  expect(failure(() => fill(connection, { ...lines, columns: nothing })).message).toContain(
    'Every column gets its default',
  );
  connection.close();
});

test('what is suggested fills the tables of well-known applications, or says what keeps it from that', () => {
  const problems: string[] = [];
  for (const [name, text] of Object.entries(KNOWN_SCHEMAS)) {
    const connection = testEngines[0]!.open();
    const script = connection.script(text);
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
    script.dispose();
    const tables = connection
      .all(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
      )
      .map(([table]) => table as string);
    // Tables that others refer to come first: one that has no parents yet is tried again.
    let left = tables;
    for (let round = 0; round < tables.length && left.length > 0; round++)
      left = left.filter((table) => {
        try {
          const { inserted, skipped } = fill(connection, planFor(connection, table, { rows: 40 }));
          expect(inserted + skipped, `${table} of ${name}`).toBe(40);
          return false;
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          if (round === tables.length - 1) problems.push(`${name}.${table}: ${(error as AppError).message}`);
          return true;
        }
      });
    expect(connection.all('PRAGMA foreign_key_check'), `${name}`).toEqual([]);
    connection.close();
  }
  // A missing table, and a trigger that acts as a foreign key under a meaningless name.
  expect(problems.map((problem) => problem.slice(0, problem.indexOf(':')))).toEqual([
    'maps.gpkg_contents',
    'e-books.books_authors_link',
  ]);
});

test.each(testEngines)('keys that are likely but not declared are followed where there are rows, $name', (engine) => {
  const connection = open(engine, [
    'CREATE TABLE artist (id INTEGER PRIMARY KEY, name TEXT)',
    'CREATE TABLE album (id INTEGER PRIMARY KEY, artist_id INTEGER, title TEXT)',
  ]);
  const source = () => planFor(connection, 'album').columns[1]!;
  expect(source()).toMatchObject({ name: 'artist_id', refersTo: 'artist', source: { kind: 'integer' } });
  connection.run("INSERT INTO artist VALUES (70, 'a'), (90, 'b')");
  expect(source()).toMatchObject({ source: { kind: 'reference' }, why: 'likely foreign key' });
  fill(connection, planFor(connection, 'album'));
  expect(connection.all('SELECT DISTINCT artist_id FROM album WHERE artist_id IS NOT NULL ORDER BY 1')).toEqual([
    [70],
    [90],
  ]);
  connection.close();
});
