// Queries of a guarded client: limits, and that nothing which rules hide can be seen, by queries that try and by random ones.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import type { GuardRules } from '#shared/protocol/guarded.ts';
import { seeds } from '#shared/seed-count.test-suite.ts';
import type { Connection, Engine } from '../engines/engine.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import { guardedTables } from './guarded-schema.ts';
import { guardedRows } from './guarded-query.ts';
import type { GuardedQuery } from './guarded-query.ts';
import { matchesGlob } from './visible-schema.ts';

/** Hidden names begin with `hid`, hidden values with `SEEN`. */
const SCHEMA = `
  CREATE TABLE hid_team (id INTEGER PRIMARY KEY, name TEXT);
  INSERT INTO hid_team VALUES (1, 'SEEN4');
  CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, hid_pay TEXT, twice AS (hid_pay || hid_pay), boss REFERENCES hid_team);
  INSERT INTO person (id, name, hid_pay) VALUES (1, 'Ada', 'SEEN1'), (2, 'Bob', 'SEEN2');
  CREATE INDEX by_pay ON person (hid_pay, name);
  CREATE TABLE keyed (hid_id INTEGER PRIMARY KEY, note TEXT, UNIQUE (note, hid_id));
  INSERT INTO keyed VALUES (77001, 'one'), (77002, 'two');
  CREATE TABLE worded (hid_key TEXT, a, PRIMARY KEY (hid_key)) WITHOUT ROWID;
  INSERT INTO worded VALUES ('SEEN3', 1);
  CREATE TABLE json_tree (name TEXT);
  INSERT INTO json_tree VALUES ('SEEN5');
  CREATE VIEW plain AS SELECT id, name FROM person;
  CREATE VIEW shown AS SELECT * FROM plain;
  CREATE VIEW starred AS SELECT * FROM person;
  CREATE VIEW renamed (id, x) AS SELECT id, hid_pay FROM person;
  CREATE VIEW nested AS SELECT x FROM renamed;
  CREATE VIEW teams AS SELECT p.name FROM person p JOIN [hid_team] t ON t.id = p.id;
  CREATE VIEW ids AS SELECT rowid AS n, note FROM keyed;
  CREATE VIEW texts AS SELECT sql FROM sqlite_schema;
  CREATE VIRTUAL TABLE docs USING fts5(body);
  INSERT INTO docs VALUES ('SEEN6');
  CREATE VIRTUAL TABLE people USING fts5(hid_pay, content = person, content_rowid = id);
  INSERT INTO people (people) VALUES ('rebuild');
  ANALYZE;`;
const RULES: GuardRules = {
  tables: ['p*', 'keyed', 'worded', 's*', 'r*', 'n*', 't*', 'ids', 'docs*'],
  hiddenColumns: ['hid_*'],
};
const SHOWN = ['person', 'keyed', 'worded', 'plain', 'shown'];
const LIMITS = { skip: 0, maxRows: 100, maxBytes: 100_000, limitMs: 5000 };

const folder = mkdtempSync(join(tmpdir(), 'sidelite-guarded-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const ENGINES: readonly { name: string; engine: Engine; place: () => string }[] = [
  { name: 'native', engine: await createNativeEngine(), place: () => join(folder, `${++files}.db`) },
  { name: 'wasm', engine: (await createWasmEngine()).engine, place: () => IN_MEMORY },
];

describe.each(ENGINES)('$name', ({ engine, place }) => {
  let data: Connection;
  let blank: Connection;
  beforeAll(() => {
    data = engine.open(place(), { durability: 'balanced', create: true });
    blank = engine.open(place(), { durability: 'balanced', create: true });
    const script = data.script(SCHEMA);
    for (let next = script.next(); next; next = script.next()) while (next.step());
    script.dispose();
  });
  afterAll(() => {
    data.close();
    blank.close();
  });
  const hidden = (sql: string) => guardedRows(data, { ...LIMITS, sql }, { rules: RULES, blank });
  const open = (sql: string, limits: Partial<GuardedQuery> = {}) =>
    guardedRows(data, { ...LIMITS, ...limits, sql }, null);
  const failure = (body: () => unknown): AppError => {
    try {
      body();
    } catch (error) {
      if (error instanceof AppError) return error;
      throw error;
    }
    throw new Error('It did not fail.');
  };
  /** All that the client gets. */
  const told = (sql: string): string => {
    try {
      return JSON.stringify(hidden(sql), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    } catch (error) {
      if (error instanceof AppError) return `${error.message} ${JSON.stringify(error.detail ?? {})}`;
      throw error;
    }
  };

  test('what is visible is listed, and can be read', () => {
    const tables = guardedTables(data, { rules: RULES, table: null, detailed: 100 });
    expect(tables.map(({ name }) => name)).toEqual(SHOWN);
    expect(JSON.stringify(tables)).not.toMatch(/hid|SEEN|twice/);
    expect(hidden('SELECT * FROM person ORDER BY id')).toMatchObject({ columns: ['id', 'name', 'boss'], rows: [[1, 'Ada', null], [2, 'Bob', null]], cut: null }); // prettier-ignore
    expect(hidden('SELECT p.name FROM person AS p JOIN shown USING (id) WHERE p.id = 2').rows).toEqual([['Bob']]);
    expect(hidden('WITH big AS (SELECT note FROM keyed) SELECT count(*) FROM big').rows).toEqual([[2]]);
    expect(hidden(`SELECT e.value FROM json_each('[1,2]') AS e`).rows).toEqual([[1], [2]]);
    expect(failure(() => guardedTables(data, { rules: RULES, table: 'hid_team', detailed: 1 })).message).toBe(
      'There is no table or view “hid_team” here.',
    );
  });

  test('definitions and rules that change are heeded at once', () => {
    // The text differs: one that is prepared already names its columns as before until it is stepped.
    let last = 0;
    const columns = (rules = RULES) =>
      guardedRows(data, { ...LIMITS, sql: `SELECT * FROM p_late LIMIT ${++last}` }, { rules, blank }).columns;
    for (const [definition, shown] of [
      ['a, hid_b, c', ['a', 'c']],
      ['hid_b, c', ['c']],
    ] as const) {
      data.run(`CREATE TABLE p_late (${definition})`);
      expect([columns(), columns()]).toEqual([shown, shown]);
      expect(columns({ ...RULES, hiddenColumns: ['a'] })).toContain('hid_b');
      data.run('DROP TABLE p_late');
      expect(failure(columns).message).toContain('p_late');
    }
  });

  test.each([
    'SELECT hid_pay FROM person',
    'SELECT * FROM hid_team',
    'SELECT * FROM main.person',
    'SELECT main.person.name FROM main.person',
    'SELECT twice FROM person',
    'SELECT rowid FROM keyed',
    'SELECT _rowid_, oid FROM keyed',
    'SELECT * FROM starred',
    'SELECT x FROM nested',
    'SELECT * FROM teams',
    'SELECT n FROM ids',
    'SELECT * FROM texts',
    'SELECT sql FROM sqlite_schema',
    'SELECT * FROM "sqlite_master"',
    'SELECT * FROM temp.sqlite_schema',
    'SELECT * FROM sqlite_temp_master',
    "SELECT * FROM pragma_table_info('hid_team')",
    "SELECT * FROM 'pragma_table_list'",
    'SELECT * FROM docs',
    'SELECT * FROM docs_content',
    'SELECT * FROM people',
    'SELECT * FROM docs_data',
    'SELECT * FROM sqlite_stat1',
    'SELECT * FROM sqlite_stat4',
    'SELECT * FROM json_tree',
    'SELECT * FROM dbstat',
    'SELECT * FROM [hid_team]',
    'SELECT (SELECT name FROM hid_team)',
    'SELECT 1 IN hid_team',
    'WITH a AS (SELECT * FROM `hid_team`) SELECT * FROM a',
    'SELECT name FROM person INDEXED BY by_pay',
    'SELECT name FROM person ORDER BY hid_pay',
    'SELECT p.hid_pay FROM person p',
    'SELECT EXISTS (SELECT 1 FROM person WHERE hid_pay = 1)',
    'SELECT * FROM main.hid_team',
    'SELECT hid_key FROM worded',
    'VALUES ((SELECT hid_id FROM keyed))',
  ])('%s fails as if what it names did not exist', (sql) => {
    const { code, message } = failure(() => hidden(sql));
    expect(code).toBe('sql');
    expect(message).toMatch(/^There is no/);
    // What the words say, they say of a name that exists nowhere, too.
    const other = (text: string): string =>
      text.replaceAll(
        /(?:main\.|temp\.)?(?:hid_\w+|twice|starred|nested|teams|texts|people|docs\w*|sqlite_\w+|pragma_\w+|dbstat|json_tree)/g,
        'zzz',
      );
    expect(failure(() => hidden(other(sql))).message).toBe(other(message));
  });

  test('only one statement that reads is run, and no function that reads a table of its own choice', () => {
    expect(failure(() => hidden("SELECT rtreecheck('person')")).message).toMatch(/^There is no/);
    const refused = ['', 'SELECT 1; SELECT 2', 'DELETE FROM person', 'PRAGMA user_version = 3', 'EXPLAIN SELECT 1', 'BEGIN', "ATTACH 'x' AS x", 'WITH a AS (SELECT 1) DELETE FROM person', 'INSERT INTO person (name) VALUES (1) RETURNING id']; // prettier-ignore
    expect(refused.filter((sql) => failure(() => open(sql)).code !== 'invalid')).toEqual([]);
    expect(open('SELECT count(*) FROM person').rows).toEqual([[2]]);
    expect(data.autocommit).toBe(true);
  });

  test('limits cut rows, bytes, values, and time, and the rest can be read', () => {
    const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n';
    expect(open(numbers, { maxRows: 2 })).toMatchObject({ rows: [[1], [2]], cut: 'rows' });
    expect(open(numbers, { skip: 999 })).toMatchObject({ rows: [[1000]], cut: null });
    const long = open("SELECT printf('%.*c', 200000, 'x'), zeroblob(20000), NULL, '' UNION ALL SELECT 1, 2, 3, 4", {
      maxBytes: 20_000,
    });
    expect(long.cut).toBe('bytes');
    expect(long.rows).toMatchObject([[{ beginning: 'x'.repeat(5000), size: 200_000 }, { size: 20_000 }, null, '']]);
    expect(failure(() => open('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n', { skip: 1e9, limitMs: 50 })).code).toBe('stopped'); // prettier-ignore
  });

  test(`random queries see nothing hidden`, () => {
    let answered = 0;
    const telling: unknown[] = [];
    for (const seed of seeds(200)) {
      const sql = randomQuery(seed);
      const answer = told(sql);
      if (answer.startsWith('{')) answered++;
      // A message may repeat what the client has said, and nothing else.
      const names = ['hid_pay', 'hid_id', 'hid_key', 'hid_team', 'by_pay', 'stand_in'].filter((one) => !sql.toLowerCase().includes(one)); // prettier-ignore
      const isTold = names.some((one) => answer.toLowerCase().includes(one));
      if (isTold || /SEEN|7700\d/.test(answer)) telling.push({ sql, answer });
    }
    expect(telling).toEqual([]);
    expect(answered).toBeGreaterThan(seeds(200).length / 20);
    expect(data.all('SELECT * FROM temp.sqlite_schema')).toEqual([]);
  });
});

/** A statement put together from what could lead to something hidden. */
function randomQuery(seed: number): string {
  let state = seed * 2_654_435_761 + 1;
  const next = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const pick = (all: readonly string[]): string => all[next(all.length)]!;
  const name = (word: string): string =>
    pick([word, word, word, `"${word}"`, `[${word}]`, `\`${word}\``, word.toUpperCase()]);
  const one = (of: number): boolean => next(of) === 0;
  const hiddenTables = ['hid_team', 'starred', 'renamed', 'nested', 'ids', 'teams', 'docs', 'people', 'docs_content', 'people_data', 'sqlite_schema', 'json_tree', 'sqlite_stat4', 'texts']; // prettier-ignore
  const odd = ['hid_pay', 'hid_id', 'hid_key', 'twice', 'rowid', 'oid', 'x', 'n', 'sql', 'rank', 'person'];
  const known: Readonly<Record<string, readonly string[]>> = { person: ['id', 'name', 'boss'], keyed: ['note'], worded: ['a'], plain: ['id', 'name'], shown: ['id', 'name'] }; // prettier-ignore
  type Source = readonly [sql: string, columns: readonly string[]];
  const source = (depth: number): Source => {
    const table = one(8) ? pick(hiddenTables) : pick(SHOWN);
    const kind = next(depth > 2 ? 4 : 8);
    if (kind < 4) return [(one(12) ? pick(['main.', 'temp.']) : '') + name(table), known[table] ?? odd];
    if (kind === 4) return [`(${select(depth + 1)})`, one(2) ? ['*'] : odd];
    const [first, columns] = source(depth + 1);
    if (kind === 5) return [`${first} AS ${pick(['main', 'q', 'person', 'hid_team'])}`, columns];
    if (kind === 6)
      return [
        `${first} ${pick(['NATURAL JOIN', ',', 'LEFT JOIN', 'JOIN'])} ${source(depth + 1)[0]}`,
        ['*', ...columns],
      ];
    return [pick([`json_each((${select(depth + 1)}))`, `json_tree('{"a":1}')`, "pragma_table_xinfo('hid_team')", 'pragma_table_list']), ['*', 'value', 'name']]; // prettier-ignore
  };
  const value = (columns: readonly string[], depth: number): string => {
    const column = one(10) ? pick(odd) : pick(columns);
    const kind = next(depth > 2 ? 6 : 10);
    if (kind < 2) return '*';
    if (kind < 6 || column === '*') return column;
    if (kind === 6) return `${pick(['main.', 'q.', 'person.', 'main.person.', ''])}${name(column)}`;
    if (kind === 7) return `(${select(depth + 1)})`;
    if (kind === 8) return `quote(${name(column)})`;
    return `${name(column)} IN ${one(3) ? 'main.' : ''}${name(one(2) ? pick(hiddenTables) : pick(['keyed', 'worded']))}`;
  };
  const select = (depth: number): string => {
    const [from, columns] = source(depth);
    const list = Array.from({ length: one(3) ? 2 : 1 }, () => value(columns, depth)).join(', ');
    const where = one(5) ? ` WHERE ${value(columns, 2).replace('*', '1')} IS NOT NULL` : '';
    const order = one(6) ? ` ORDER BY ${one(3) ? pick(odd) : 1}` : '';
    const more = depth < 3 && one(8) ? ` UNION ALL ${select(depth + 1)}` : '';
    return `SELECT ${list} FROM ${from}${where}${more || order}`;
  };
  return `${one(8) ? `WITH ${pick(['q', 'person', 'hid_team', 'main'])} AS (${select(2)}) ` : ''}${select(0)}`;
}

test('a pattern matches in linear time and without regard to case', () => {
  expect(matchesGlob('*', '')).toBe(true);
  expect(matchesGlob('A?c*', 'abCdef')).toBe(true);
  expect(matchesGlob('a?c', 'ac')).toBe(false);
  expect(matchesGlob('*b*d', 'abcabcd')).toBe(true);
  expect(matchesGlob('**', 'x')).toBe(true);
  expect(matchesGlob('*a'.repeat(50), 'a'.repeat(20_000) + 'b')).toBe(false);
});
