import { describe, expect, test } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { opened, PLACES } from './transfer-fixture.test-suite.ts';
import type { ScratchStore } from './scratch.ts';

const tableAt = (at: number): string =>
  `CREATE TABLE t${at} (id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE, of REFERENCES t${Math.max(0, at - 1)}); INSERT INTO t${at} (a) VALUES (${at});`;
const tables = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => tableAt(from + at)).join('\n');
const indexes = (count: number): string =>
  Array.from({ length: count }, (_, at) => `CREATE INDEX i${at} ON t${at} (of, a);`).join('\n');

interface Loaded {
  /** Most definitions that SQLite had to read after a CREATE. */
  readonly most: number;
  readonly schema: readonly string[];
  readonly rows: number;
  readonly notes: readonly string[];
  readonly check: unknown;
}

async function load(place: ScratchStore, sql: string): Promise<Loaded> {
  let most = 0;
  const store: ScratchStore = {
    async make() {
      const scratch = await place.make();
      const watched = (connection: Connection): Connection => {
        const script = connection.script.bind(connection);
        connection.script = (text, parameters) => {
          const found = script(text, parameters);
          most = Math.max(most, Number(connection.one('SELECT count(*) FROM main.sqlite_schema')![0]));
          return found;
        };
        return connection;
      };
      return { ...scratch, open: (options) => watched(scratch.open(options)) };
    },
  };
  const { connection, contents } = await opened(store, sql);
  return {
    most,
    schema: connection.all('SELECT name FROM main.sqlite_schema ORDER BY rowid').map(([name]) => String(name)),
    rows: contents.objects.reduce((sum, { rows }) => sum + (rows ?? 0), 0),
    notes: (contents.sql?.statements ?? []).map(({ line, reason }) => `${line}: ${reason}`),
    check: connection.one('PRAGMA integrity_check')![0],
  };
}

const names = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, at) => [
    `t${from + at}`,
    `sqlite_autoindex_t${from + at}_1`,
    ...(from + at === 0 ? ['sqlite_sequence'] : []),
  ]).flat();
const indexNames = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `i${at}`);

test.each(PLACES)(
  'what SQLite reads after each CREATE does not grow with the number of tables (%s)',
  async (_name, place) => {
    const { most, schema, rows, notes, check } = await load(
      place,
      `BEGIN; ${tables(0, 450)} ${indexes(450)} CREATE VIEW v AS SELECT * FROM t1; COMMIT;`,
    );
    expect(most).toBeLessThan(250);
    expect([notes, rows, check]).toEqual([[], 450, 'ok']);
    expect(schema).toEqual([...names(0, 450), ...indexNames(450), 'v']);
  },
);

test.each(PLACES)('definitions are there for whatever looks for them (%s)', async (_name, place) => {
  const { schema, notes, check } = await load(
    place,
    `${tables(0, 250)}
    CREATE TABLE t3 (b);
    ${tables(250, 400)}
    CREATE UNIQUE INDEX wrong ON t1 (nothing);
    DROP TABLE t7;
    ALTER TABLE t8 RENAME TO renamed;
    ${tables(400, 520)}
    CREATE TABLE counted AS SELECT count(*) AS n FROM sqlite_master;
    BEGIN; SAVEPOINT s; ${tables(520, 700)} ROLLBACK TO s; RELEASE s; COMMIT;
    CREATE TABLE last (a);`,
  );
  expect(notes).toEqual([expect.stringMatching(/^251: .*already/), expect.stringMatching(/^402: .*nothing/)]);
  expect(schema.filter((name) => /^(?:t7|t8|t9|renamed|counted|t519|t520|last)$/.test(name))).toEqual([
    'renamed',
    't9',
    't519',
    'counted',
    'last',
  ]);
  expect(schema.filter((name) => /^t\d+$/.test(name))).toHaveLength(518);
  expect(check).toBe('ok');
});

test.each(PLACES)(
  'a statement that reads the schema counts every definition, and a parked one is dropped (%s)',
  async (_name, place) => {
    const count = "CREATE TABLE counted AS SELECT count(*) AS n FROM sqlite_schema WHERE name LIKE 't%'; ";
    const { schema, notes, check } = await load(
      place,
      `${tables(0, 250)} DROP TABLE t3; ${tables(250, 450)} ${count} INSERT INTO t1 (a) SELECT name FROM sqlite_master WHERE name = 't5';
    CREATE TABLE five AS SELECT a FROM t1 WHERE a = 't5'; CREATE INDEX five_449 ON t449 (a); DROP TABLE t5;`,
    );
    expect(notes).toEqual([]);
    expect(schema).toEqual([
      ...names(0, 450).filter((name) => !/^(?:sqlite_autoindex_)?t[35](?:_1)?$/.test(name)),
      'counted',
      'five',
      'five_449',
    ]);
    expect(check).toBe('ok');
  },
);

test.each(PLACES)('a file cannot write the schema by way of the parked rows (%s)', async (_name, place) => {
  const sql =
    "INSERT INTO sidelite_parked_schema VALUES (9999, 'table', 'false', 'false', 2, 'CREATE TABLE false (a)');";
  const { schema, notes, check } = await load(place, `${tables(0, 250)} ${sql} ${sql} ${tables(250, 400)}`);
  expect(notes).toEqual(Array(2).fill(expect.stringMatching(/sidelite_parked_schema/)));
  expect([schema, check]).toEqual([names(0, 400), 'ok']);
});

const BETWEEN = [' ', '/**/', ' /* VIEW */ '] as const;

describe.each(BETWEEN)('with “%s” between words', (between) => {
  test.each(PLACES)(
    'a view is weighed with the generated columns of a table that was parked (%s)',
    async (_name, place) => {
      const generated = Array.from({ length: 6 }, (_, at) => `a${at + 1} AS (a${at} || a${at})`).join(', ');
      const views = Array.from({ length: 12 }, (_, at) => `CREATE VIEW v${at + 1} AS SELECT a || a AS a FROM v${at};`);
      const sql = `CREATE TABLE g (a0, ${generated}); CREATE VIEW v0 AS SELECT a6 AS a FROM g; ${views.join(' ')} ${tables(0, 110)}
    CREATE TABLE target (a);
    CREATE INDEX of_target ON target (a);
    INSERT INTO target SELECT a FROM v12;
    CREATE TABLE copied AS SELECT * FROM v12;
    CREATE VIEW light AS SELECT * FROM target; CREATE TRIGGER tr AFTER INSERT ON target BEGIN SELECT a FROM v12; END;
    ${tables(110, 220)}
    INSERT INTO target VALUES (1);`;
      const { notes } = await load(
        place,
        sql
          .replaceAll(/CREATE (?=VIEW|TRIGGER|TABLE copied)/g, `CREATE${between}`)
          .replace('TABLE copied AS', `TABLE${between}copied${between}AS`),
      );
      expect(notes).toEqual([
        expect.stringMatching(/^113: The view “v1\d” cannot be used here/),
        expect.stringMatching(/^114: The view “v1\d” cannot be used here/),
        ...Array.from({ length: 110 }, () => expect.stringMatching(/trigger “tr”/)),
        expect.stringMatching(/^226: .*trigger “tr”/),
      ]);
    },
  );
});

test.each(PLACES)('the row id of the last INSERT stays what it is (%s)', async (_name, place) => {
  const { connection } = await opened(
    place,
    `CREATE TABLE p (a); CREATE TABLE c (p, q); INSERT INTO c VALUES (NULL, NULL);
    INSERT INTO p (rowid, a) VALUES (7000, 1); 
    ${Array.from({ length: 120 }, (_, at) => `CREATE TABLE n${at} (a);`).join(' ')}
    UPDATE c SET p = last_insert_rowid();
    ${Array.from({ length: 120 }, (_, at) => `CREATE TABLE m${at} (a);`).join(' ')}
    WITH last AS (SELECT last_insert_rowid() AS id) INSERT INTO c SELECT id, 2 FROM last;`,
  );
  expect(connection.all('SELECT p FROM c')).toEqual([[7000], [7000]]);
});
