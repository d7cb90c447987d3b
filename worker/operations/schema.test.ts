import { expect, test } from 'vitest';
import { failureOf, openFixture, valuesOf } from './database-fixture.test-suite.ts';

test('lists every kind of object, with estimates and with what is wrong', async () => {
  const fixture = openFixture(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, a);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, i FROM n;
    CREATE TABLE small (a); INSERT INTO small VALUES (1), (2);
    CREATE TABLE auto (id INTEGER PRIMARY KEY AUTOINCREMENT);
    CREATE INDEX i ON t (a);
    CREATE VIEW good AS SELECT * FROM t; CREATE VIEW broken AS SELECT gone FROM t; CREATE VIEW lost AS SELECT * FROM nowhere;
    CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; END;
    CREATE VIRTUAL TABLE r USING rtree (id, x1, x2);`);
  const { objects, schemaVersion } = await fixture.window.call('schema.get', {});
  const find = (name: string) => objects.find((object) => object.name === name)!;
  expect(schemaVersion).toBeGreaterThan(5);
  expect(find('t')).toMatchObject({ kind: 'table', rows: { count: 5000, estimated: false }, problem: null });
  expect(find('small').rows).toEqual({ count: 2, estimated: false });
  expect(find('i')).toMatchObject({ kind: 'index', tableName: 't' });
  expect(find('tr')).toMatchObject({ kind: 'trigger', tableName: 't' });
  expect(find('good')).toMatchObject({ kind: 'view', problem: null });
  expect(find('broken').problem).toContain('gone');
  expect(find('lost').problem).toContain('nowhere');
  expect(find('r')).toMatchObject({ kind: 'virtual', problem: null });
  expect(find('r_node')).toMatchObject({ kind: 'shadow', tableName: 'r' });
  expect(find('sqlite_sequence').kind).toBe('shadow');
  expect(
    (await failureOf(fixture.window.call('rows.open', { table: 'broken', sort: [], filter: [] }))).message,
  ).toContain('gone');
  const columns = await fixture.window.call('schema.columns', {});
  expect(columns).toContainEqual(expect.objectContaining({ table: 'good', columns: ['id', 'a'] }));
  fixture.close();
});

test('counts the tables of a small file, keyed ones too, and estimates where counting would take long', async () => {
  const many = (rows: number): string =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT ${rows}) SELECT i * 10 FROM n`;
  const fixture = openFixture(`
    CREATE TABLE gaps (id INTEGER PRIMARY KEY); INSERT INTO gaps ${many(3000)};
    CREATE TABLE keyed (a PRIMARY KEY) WITHOUT ROWID; INSERT INTO keyed ${many(3000)};
    CREATE TABLE long1 (a); INSERT INTO long1 ${many(100_000)};
    CREATE TABLE long2 (a); INSERT INTO long2 ${many(100_000)};
    CREATE TABLE wide (a); INSERT INTO wide ${many(2)};`);
  const rows = async (): Promise<Record<string, unknown>> => {
    const { objects } = await fixture.window.call('schema.get', {});
    return Object.fromEntries(objects.map((object) => [object.name, object.rows]));
  };
  expect(await rows()).toEqual({
    gaps: { count: 3000, estimated: false },
    keyed: { count: 3000, estimated: false },
    long1: { count: 100_000, estimated: false },
    // Past 200,000 rows in all; its row ids have no gaps.
    long2: { count: 100_000, estimated: true },
    wide: { count: 2, estimated: false },
  });
  await fixture.window.call('query.run', { sql: 'INSERT INTO wide VALUES (zeroblob(40000000))' });
  expect(await rows()).toMatchObject({ gaps: { count: 29_991, estimated: true }, keyed: null, wide: { count: 3 } });
  fixture.close();
});

test('describes columns: types, keys, references, generated ones', async () => {
  const fixture = openFixture(
    `CREATE TABLE parent (id INTEGER PRIMARY KEY);
    CREATE TABLE t (a VARCHAR(10) NOT NULL DEFAULT 'x', b INT REFERENCES parent, c AS (a || b), d INT GENERATED ALWAYS AS (b + 1) STORED, PRIMARY KEY (b, a)) WITHOUT ROWID, STRICT`
      .replace('VARCHAR(10)', 'TEXT')
      .replace('c AS', 'c TEXT AS'),
  );
  const detail = await fixture.window.call('schema.table', { table: 'T' });
  expect(detail).toMatchObject({ name: 't', kind: 'table', withoutRowid: true, strict: true });
  expect(detail.columns).toEqual([
    {
      name: 'a',
      declaredType: 'TEXT',
      notNull: true,
      defaultSql: "'x'",
      primaryKeyIndex: 2,
      generated: 'no',
      references: null,
    },
    {
      name: 'b',
      declaredType: 'INT',
      notNull: true,
      defaultSql: null,
      primaryKeyIndex: 1,
      generated: 'no',
      references: { table: 'parent', columns: [{ from: 'b', to: 'id' }] },
    },
    {
      name: 'c',
      declaredType: 'TEXT',
      notNull: false,
      defaultSql: null,
      primaryKeyIndex: 0,
      generated: 'virtual',
      references: null,
    },
    {
      name: 'd',
      declaredType: 'INT',
      notNull: false,
      defaultSql: null,
      primaryKeyIndex: 0,
      generated: 'stored',
      references: null,
    },
  ]);
  fixture.close();
});

test('a foreign key of several columns belongs to each of them, with all of its parts', async () => {
  const fixture = openFixture(`CREATE TABLE track (album, number, PRIMARY KEY (number, album));
    CREATE TABLE play (at, a REFERENCES nowhere, n, FOREIGN KEY (n, a) REFERENCES track)`);
  const { columns } = await fixture.window.call('schema.table', { table: 'play' });
  const track = {
    table: 'track',
    columns: [
      { from: 'n', to: 'number' },
      { from: 'a', to: 'album' },
    ],
  };
  // The first one that is declared counts where a column is a part of two.
  expect(columns.map(({ references }) => references)).toEqual([
    null,
    { table: 'nowhere', columns: [{ from: 'a', to: null }] },
    track,
  ]);
  fixture.close();
});

test.each(['', 'a "quoted" name', "it's", 'two words', 'select', '🙂 münchen', '%_\\', '[x]', 'a;b', 'a--b', '"'])(
  'a table and column named %j can be listed, opened, sorted, filtered, edited and read',
  async (name) => {
    const quoted = `"${name.replaceAll('"', '""')}"`;
    const fixture = openFixture(
      `CREATE TABLE ${quoted} (${quoted} TEXT, n); INSERT INTO ${quoted} VALUES ('b', 1), ('a', 2)`,
    );
    const { objects } = await fixture.window.call('schema.get', {});
    expect(objects.map((object) => object.name)).toContain(name);
    expect((await fixture.window.call('schema.table', { table: name })).columns[0]!.name).toBe(name);
    const read = async (sort: boolean, filter: boolean) => {
      const info = await fixture.window.call('rows.open', {
        table: name,
        sort: sort ? [{ column: name, descending: false }] : [],
        filter: filter ? [{ column: name, operator: 'contains', value: 'A' }] : [],
      });
      return valuesOf((await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 9 })).rows);
    };
    expect(await read(false, false)).toEqual([
      [1, 'b', 1],
      [2, 'a', 2],
    ]);
    expect(await read(true, false)).toEqual([
      [2, 'a', 2],
      [1, 'b', 1],
    ]);
    expect(await read(true, true)).toEqual([[2, 'a', 2]]);
    await fixture.window.call('edit.apply', {
      table: name,
      changes: [{ kind: 'update', key: [1], set: { [name]: 'c' }, base: { [name]: 'b' } }],
    });
    const cell = { table: name, key: [1], column: name };
    expect(await fixture.window.call('cell.read', { cell })).toEqual({
      value: 'c',
      storageClass: 'text',
      sizeBytes: 1,
    });
    fixture.close();
  },
);

test.each([
  {
    first: 'c0',
    key: 'none',
    rows: [
      [3, 4],
      [1, 2],
    ],
  },
  {
    first: 'c0 INTEGER PRIMARY KEY',
    key: 'rowid',
    rows: [
      [3, 4],
      [1, 2],
    ],
  },
])('a table of 2,000 columns, $first', async ({ first, key, rows }) => {
  const names = Array.from({ length: 1999 }, (_, i) => `c${i + 1}`);
  const fixture = openFixture(
    `CREATE TABLE wide (${[first, ...names].join(', ')}); INSERT INTO wide (c0, c1999) VALUES (1, 2), (3, 4)`,
  );
  for (const sort of [[{ column: 'c0', descending: true }], []]) {
    const info = await fixture.window.call('rows.open', { table: 'wide', sort, filter: [] });
    expect(info.columns).toHaveLength(2000);
    expect(info.key.kind).toBe(key);
    for (let time = 0; time < 2; time++) {
      const page = await fixture.window.call('rows.read', { reader: info.reader, start: 0, count: 9 });
      expect(valuesOf(page.rows).map((row) => [row[0], row[1999]])).toEqual(
        sort.length > 0 ? rows : [...rows].reverse(),
      );
    }
  }
  const duplicate = { kind: 'duplicate', key: [1] } as const;
  expect((await fixture.window.call('edit.apply', { table: 'wide', changes: [duplicate] })).keys).toHaveLength(1);
  fixture.close();
});

test('tells the keys that an upsert can find rows by', async () => {
  const fixture = openFixture(
    `CREATE TABLE k (id INTEGER PRIMARY KEY, a UNIQUE, b, c, d, UNIQUE (b, c));
     CREATE UNIQUE INDEX by_d ON k (d COLLATE NOCASE, a); CREATE UNIQUE INDEX part ON k (c) WHERE c > 0;
     CREATE UNIQUE INDEX lowered ON k (lower(d)); CREATE INDEX plain ON k (c); CREATE VIEW v AS SELECT * FROM k`,
  );
  const { uniqueKeys } = await fixture.window.call('schema.table', { table: 'k' });
  expect(uniqueKeys).toEqual([
    { index: null, columns: ['a'] },
    { index: null, columns: ['b', 'c'] },
    { index: 'by_d', columns: ['d', 'a'] },
  ]);
  for (const { columns } of uniqueKeys) {
    const list = columns.map((name) => `"${name}"`).join(', ');
    fixture.connection.check(
      `INSERT INTO k (${list}) VALUES (${columns.map(() => '1').join(', ')}) ON CONFLICT (${list}) DO NOTHING`,
    );
  }
  expect((await fixture.window.call('schema.table', { table: 'v' })).uniqueKeys).toEqual([]);
  fixture.close();
});
