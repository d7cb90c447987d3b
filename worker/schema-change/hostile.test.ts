// Schemas made to break a change: as many columns as SQLite takes, a megabyte of text, names that are SQL, and views that take long to
// compile or never end. The change is made or refused, and Stop is heard.
import { expect, test } from 'vitest';
import { LONG } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { changeSchema, isClean } from './change.ts';
import { endlessTurn, finish, testEngines } from './engines.test-suite.ts';
import { planChanges } from './plan.ts';
import { usesOf } from './uses.ts';
import { Work } from './work.ts';

const workOf = (connection: Connection): Work => new Work(endlessTurn(connection), () => undefined);

function open(engine: (typeof testEngines)[number], sql: readonly string[]): Connection {
  const connection = engine.open();
  for (const statement of sql) connection.run(statement);
  return connection;
}

/** Plans it, makes it, and returns whether it was made by rebuilding the table. */
function make(connection: Connection, change: Extract<SchemaChange, { readonly kind: 'change-table' }>): boolean {
  const plan = finish(planChanges(workOf(connection), [change]));
  expect(plan.obstacles).toEqual([]);
  const report = finish(changeSchema(workOf(connection), [change]));
  expect(isClean(report)).toBe(true);
  connection.run('COMMIT');
  return plan.steps.some(({ kind }) => kind === 'rebuild');
}

const sqlOf = (connection: Connection, table: string): string =>
  connection.one("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [table])![0] as string;

/** The most columns take seconds on each engine: what is true of both is tried on both when there is time. */
const widest = LONG ? testEngines : testEngines.slice(0, 1);
const COLUMNS = Array.from({ length: 2000 }, (_, at) => `c${at}`);

function openWide(engine: (typeof testEngines)[number], columns: readonly string[], key: string): Connection {
  const last = columns.at(-1)!;
  return open(engine, [
    `CREATE TABLE wide (${columns.map((name, at) => (at === 0 ? `${name} ${key}` : `${name} INT`)).join(', ')})`,
    `CREATE INDEX by_last ON wide (${last})`,
    `CREATE TRIGGER noted AFTER UPDATE ON wide BEGIN DELETE FROM wide WHERE c0 = new.${last}; END`,
    `INSERT INTO wide (rowid, c1, ${last}) VALUES (70, 2, 3), (-5, 5, 6)`,
  ]);
}

test.each(widest)('as many columns as SQLite takes are rebuilt, compared, and changed by ALTER, $name', (engine) => {
  const tables = [
    [COLUMNS, 'INTEGER PRIMARY KEY'],
    [COLUMNS.slice(0, 1999), 'INT'],
  ] as const;
  for (const [columns, key] of LONG ? tables : tables.slice(0, 1)) {
    const connection = openWide(engine, columns, key);
    const before = connection.all('SELECT * FROM wide');
    const checked = sqlOf(connection, 'wide').replace('c7 INT', 'c7 TEXT CHECK (c7 IS NOT 1)');
    expect(make(connection, { kind: 'change-table', table: 'wide', sql: checked, columns })).toBe(true);
    expect(connection.all('SELECT * FROM wide')).toEqual(before);
    expect(connection.all('SELECT rowid FROM wide ORDER BY rowid')).toEqual([[-5], [70]]);
    const dropped = sqlOf(connection, 'wide').replace(' c7 TEXT CHECK (c7 IS NOT 1),', '');
    make(connection, {
      kind: 'change-table',
      table: 'wide',
      sql: dropped,
      columns: columns.filter((name) => name !== 'c7'),
    });
    expect(connection.all('SELECT c1 FROM wide ORDER BY rowid')).toEqual([[5], [2]]);
    connection.close();
  }
});

test.each(widest)('where the row ids of as many columns could not be kept, nothing is changed, $name', (engine) => {
  const connection = openWide(engine, COLUMNS, 'INT');
  const contents = (): unknown =>
    ['SELECT * FROM wide', 'SELECT rowid FROM wide ORDER BY rowid', 'SELECT * FROM sqlite_schema'].map((sql) =>
      connection.all(sql),
    );
  const before = contents();
  const sql = sqlOf(connection, 'wide').replace('c7 INT', 'c7 TEXT');
  const change = { kind: 'change-table', table: 'wide', sql, columns: COLUMNS } as const;
  let thrown: unknown = null;
  try {
    finish(changeSchema(workOf(connection), [change]));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    code: 'unavailable',
    what: expect.stringContaining('the row ids could not be kept') as string,
  });
  expect(contents()).toEqual(before);
  connection.close();
});

test.each(testEngines)('a megabyte of text in a CHECK is kept to the byte, $name', (engine) => {
  const text = "it''s -- ; /* ".repeat(70_000);
  const connection = open(engine, [
    `CREATE TABLE long (a TEXT CHECK (a <> '${text}'), b INT)`,
    "INSERT INTO long VALUES ('x', 1)",
  ]);
  const sql = sqlOf(connection, 'long').replace('b INT)', 'b INT UNIQUE, c)');
  expect(sql.length).toBeGreaterThan(900_000);
  expect(make(connection, { kind: 'change-table', table: 'long', sql, columns: ['a', 'b', null] })).toBe(true);
  expect(sqlOf(connection, 'long')).toBe(sql);
  connection.close();
});

const NAMES = [
  'x"); DROP TABLE other; --', "'; DELETE FROM other; --", 'a /* b', 'SELECT', 'sqlite', ']', '`', 'main.other', 'x\ny', '"""', 'rowid',
  'sidelite_before_1', 'WHERE 1=1', '\u202e', '%s', '?1', '\\',
]; // prettier-ignore

test.each(testEngines)(
  'names that are SQL are names: of tables, columns, indexes, triggers and views, $name',
  (engine) => {
    for (const name of NAMES) {
      const [q, column] = [quoteName(name), quoteName(`${name}2`)];
      const connection = open(engine, [
        'CREATE TABLE other (a)',
        'INSERT INTO other VALUES (1)',
        `CREATE TABLE ${q} (${column} TEXT, b INT REFERENCES ${q} (${column}))`,
        `CREATE UNIQUE INDEX ${quoteName(`${name} index`)} ON ${q} (${column})`,
        `CREATE VIEW ${quoteName(`${name} view`)} AS SELECT ${column} FROM ${q}`,
        `CREATE TRIGGER ${quoteName(`${name} trigger`)} AFTER DELETE ON ${q} BEGIN DELETE FROM ${q}; END`,
        `INSERT INTO ${q} (${column}) VALUES ('kept')`,
      ]);
      const sql = `CREATE TABLE ${q} (${column} TEXT CHECK (${column} <> ''), b INT REFERENCES ${q} (${column}), ${quoteName(`${name}3`)})`;
      make(connection, { kind: 'change-table', table: name, sql, columns: [`${name}2`, 'b', null] });
      expect(sqlOf(connection, name)).toBe(sql);
      expect(connection.one(`SELECT ${column} FROM ${quoteName(`${name} view`)}`)).toEqual(['kept']);
      const uses = finish(usesOf(workOf(connection), name, `${name}2`)).map((object) => object.name);
      expect(uses.toSorted()).toEqual([`${name} index`, `${name} view`].toSorted());
      const copy = { kind: 'duplicate-table', table: name, to: `${name} copy`, rows: true } as const;
      const report = finish(
        changeSchema(workOf(connection), [copy, { kind: 'rename-table', table: name, to: `${name} new` }]),
      );
      expect(isClean(report)).toBe(true);
      connection.run('COMMIT');
      expect(connection.one(`SELECT ${column} FROM ${quoteName(`${name} copy`)}`)).toEqual(['kept']);
      expect(connection.one('SELECT count(*) FROM other')).toEqual([1]);
      connection.close();
    }
  },
);

/** Compiling each takes twice as long as the one before it, and running the last one would never end. */
const SLOW_VIEWS = [
  'CREATE TABLE t (a INT)',
  'INSERT INTO t VALUES (1)',
  'CREATE VIEW v0 AS SELECT a FROM t',
  ...Array.from({ length: 8 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT x.a FROM (SELECT a FROM v${at} LIMIT 1) x, (SELECT a FROM v${at} LIMIT 1) y`), // prettier-ignore
  'CREATE VIEW endless AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n, t',
];

test.each(testEngines)(
  'views that take long to compile are compiled one by one: Stop is heard between them, and nothing is changed, $name',
  (engine) => {
    const connection = open(engine, SLOW_VIEWS);
    const before = dumpDatabase(connection);
    const settings = (): unknown =>
      ['foreign_keys', 'legacy_alter_table'].map((name) => connection.one(`PRAGMA ${name}`));
    const were = settings();
    const change = {
      kind: 'change-table',
      table: 't',
      sql: 'CREATE TABLE t (a INT CHECK (a > 0))',
      columns: ['a'],
    } as const;
    let isStopped = false;
    const turn = {
      ...endlessTurn(connection),
      get stopRequested() {
        return isStopped;
      },
    };
    for (const steps of [
      () => changeSchema(new Work(turn, () => undefined), [change]),
      () => planChanges(new Work(turn, () => undefined), [change]),
      () => usesOf(new Work(turn, () => undefined), 't', null),
    ]) {
      isStopped = false;
      const running: Generator<Pause, unknown> = steps();
      let thrown: unknown = null;
      try {
        running.next();
        isStopped = true;
        finish(running);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toBeInstanceOf(AppError);
      expect(thrown).toMatchObject({ code: 'stopped' });
      expect(connection.autocommit).toBe(true);
      expect(settings()).toEqual(were);
      expect(dumpDatabase(connection)).toBe(before);
    }
    connection.close();
  },
  120_000,
);

test.each(testEngines)(
  'text that a full-text table takes from a view is looked for, but the view is not run, $name',
  (engine) => {
    const connection = open(engine, [
      'CREATE TABLE t (a, body)',
      // Acts as a view that never ends: SQLite accepts it, and fails when it runs.
      `CREATE VIEW text (id, body) AS SELECT rowid, json(body || '{') FROM t`,
      "INSERT INTO t VALUES (1, 'x')",
      "CREATE VIRTUAL TABLE found USING fts5 (body, content='text', content_rowid='id')",
    ]);
    expect(() => connection.one('SELECT * FROM found')).toThrow('Malformed JSON');
    const report = (sql: string) => {
      const change = { kind: 'change-object', object: 'view', name: 'text', sql } as const;
      const { broken, brokenBefore } = finish(changeSchema(workOf(connection), [change]));
      connection.run('ROLLBACK');
      return { broken: broken.map(({ name }) => name), brokenBefore };
    };
    expect(report('CREATE VIEW text (id, body) AS SELECT a, body FROM t')).toEqual({ broken: [], brokenBefore: [] });
    expect(report('CREATE VIEW text (id, words) AS SELECT a, body FROM t')).toEqual({
      broken: ['found'],
      brokenBefore: [],
    });
    connection.close();
  },
);

test.each(testEngines)(
  'a definition that is another statement is refused before anything is dropped, $name',
  (engine) => {
    const connection = open(engine, ['CREATE TABLE t (a)', 'CREATE VIEW v AS SELECT a FROM t']);
    const before = dumpDatabase(connection);
    for (const sql of ['COMMIT', '/* CREATE */ END', '']) {
      const change = { kind: 'change-object', object: 'view', name: 'v', sql } as const;
      for (const steps of [changeSchema, planChanges])
        expect(() => finish<unknown>(steps(workOf(connection), [change]))).toThrow('This is not a CREATE statement.');
      expect(connection.autocommit).toBe(true);
      expect(dumpDatabase(connection)).toBe(before);
    }
    connection.close();
  },
);

test.each(testEngines)(
  'a name after DEFAULT is a text, also where rows are asked whether they fit, $name',
  (engine) => {
    for (const [value, stored] of [
      ['draft', 'draft'],
      ['a', 'a'],
      ['""', ''],
      ["[it's]", "it's"],
      ['`null`', 'null'],
      ['TRUE', 1],
      ["x'61'", new Uint8Array([0x61])],
      ['(1 + 1)', 2],
    ] as const) {
      const connection = open(engine, ['CREATE TABLE t (a)', 'INSERT INTO t VALUES (NULL)']);
      const sql = `CREATE TABLE t (a, state NOT NULL DEFAULT ${value}, CHECK (state IS NOT NULL))`;
      make(connection, { kind: 'change-table', table: 't', sql, columns: ['a', null] });
      expect(connection.all('SELECT * FROM t')).toEqual([[null, stored]]);
      connection.close();
    }
  },
);
