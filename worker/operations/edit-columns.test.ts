// Which columns of a result can be edited. Whatever a query does, such a column has in each row of the result the value of the very table row
// that its key names.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seedCount } from '#shared/seed-count.test-suite.ts';
import type { EditableColumn } from '#shared/protocol/edit.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { editableColumns, findKey } from '../query/edit-columns.ts';
import { testEngines } from '../schema-change/engines.test-suite.ts';
import { sameValue } from '../sql/same-value.ts';
import { sourcesOf } from '../sql/source-names.ts';
import { runScript } from './database-fixture.test-suite.ts';

const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, parent INTEGER, twice GENERATED ALWAYS AS (a || a));
  INSERT INTO t VALUES (1, 'one', 2), (2, 'two', 3), (3, 'three', 3), (4, 'one', NULL);
  CREATE TABLE u (code TEXT PRIMARY KEY, t_id INTEGER, u TEXT) WITHOUT ROWID;
  INSERT INTO u VALUES ('x', 1, 'ux'), ('y', 2, 'uy'), ('z', 9, 'uz');
  CREATE TABLE w (name TEXT PRIMARY KEY COLLATE NOCASE, size);
  INSERT INTO w VALUES ('S', 1), ('M', 2), (NULL, 3);
  CREATE TABLE plain (x, rowid);
  INSERT INTO plain VALUES (1, 7), (2, 8);
  CREATE VIEW v AS SELECT id, a FROM t WHERE id > 1;
  CREATE VIEW vv AS SELECT v.id AS id, t.a AS a FROM v JOIN t ON t.id <> v.id;
`;

function read(connection: Connection, sql: string): { edits: readonly EditableColumn[]; rows: readonly Value[][] } {
  const statement = connection.prepare(sql);
  const { columns } = statement;
  statement.finalize();
  return { edits: editableColumns(connection, sql, columns), rows: connection.all(sql) as Value[][] };
}

/** The table that each column edits, or null. Throws where an edit would write to another row than the one shown. */
function tablesOf(connection: Connection, sql: string): (string | null)[] {
  const { edits, rows } = read(connection, sql);
  return edits.map((edit, column) => {
    if ('why' in edit) return null;
    for (const row of rows) {
      const values = edit.key.map((place) => row[place]!);
      if (values.some((each) => each === null)) continue;
      const key = edit.by ? findKey(connection, edit.table, edit.by, values) : values;
      const names = { t: ['id'], u: ['code'], w: ['rowid'], plain: ['_rowid_'] }[edit.table]!;
      const where = names.map((name) => `${name} = ?`).join(' AND ');
      const stored = connection.one(`SELECT "${edit.column.name}" FROM "${edit.table}" WHERE ${where}`, key!);
      if (!stored || !sameValue(stored[0]!, row[column]!))
        throw new Error(`Column ${column} of ${sql} would write to another row: ${String(row[column])}`);
    }
    return edit.table;
  });
}

describe.each(testEngines)('with $name', ({ open }) => {
  const connection = open();
  runScript(connection, SCHEMA);

  test('a column comes with the foreign key that can be set by choosing a row, all columns of it', () => {
    runScript(
      connection,
      `CREATE TABLE shelf (room TEXT, number INTEGER, PRIMARY KEY (room, number));
       CREATE TABLE book (id INTEGER PRIMARY KEY, Room TEXT, number INTEGER, upper AS (upper(Room)), writer REFERENCES t,
         FOREIGN KEY (room, number) REFERENCES shelf, FOREIGN KEY (upper) REFERENCES w (name))`,
    );
    const { edits } = read(connection, 'SELECT id, Room, writer AS w, number + 1 FROM book');
    const references = edits.map((edit) => ('why' in edit ? edit.why : edit.column.references));
    const pair = (from: string, to: string): object => ({ from, to });
    expect(references).toEqual([
      null,
      { table: 'shelf', columns: [pair('Room', 'room'), pair('number', 'number')] },
      { table: 't', columns: [pair('writer', 'id')] },
      expect.stringContaining('computed'),
    ]);
    runScript(
      connection,
      `CREATE TABLE half (id INTEGER PRIMARY KEY, room TEXT, n AS (id + 1), FOREIGN KEY (room, n) REFERENCES shelf)`,
    );
    expect(read(connection, 'SELECT id, room FROM half').edits[1]).toMatchObject({
      column: { name: 'room', references: null },
    });
  });

  test.each<[sql: string, tables: (string | null)[]]>([
    ['SELECT id, a, parent FROM t', ['t', 't', 't']],
    ['SELECT rowid, a AS other FROM main.t AS x WHERE a > ?', ['t', 't']].slice(0, 2) as [string, string[]],
    ['SELECT a FROM t', [null]],
    ['SELECT id, upper(a), twice, a || 1 FROM t', ['t', null, null, null]],
    ['SELECT t.id, t.a, u.code, u.u FROM t JOIN u ON u.t_id = t.id', ['t', 't', 'u', 'u']],
    ['SELECT t.id, t.a, u.u FROM u LEFT JOIN t ON t.id = u.t_id', ['t', 't', null]],
    ['SELECT x.id, x.a, p.a FROM t x JOIN t p ON p.id = x.parent', [null, null, null]],
    ['SELECT id, a FROM v', [null, null]],
    ['SELECT t.id, t.a, v.a FROM t JOIN v USING (id)', [null, null, null]],
    ['SELECT id, a FROM t UNION ALL SELECT t_id, u FROM u', [null, null]],
    ['SELECT s.id, s.a FROM (SELECT id, a FROM t ORDER BY a LIMIT 2) AS s', ['t', 't']],
    ['WITH c AS (SELECT id, a FROM t) SELECT id, a FROM c', ['t', 't']],
    ['WITH c(i, b) AS (SELECT id, a FROM t) SELECT x.i, y.b FROM c x JOIN c y ON x.i < y.i', [null, null]],
    ['SELECT id, (SELECT a FROM t ORDER BY id DESC LIMIT 1) FROM t', [null, null]],
    ['SELECT id, (SELECT u FROM u LIMIT 1), a FROM t', ['t', null, 't']],
    ["SELECT id, a, t FROM (SELECT id, a, a AS t FROM t) WHERE coalesce(t, 1) > 'a'", ['t', 't', 't']],
    ['SELECT name, size FROM w', ['w', 'w']],
    ['SELECT rowid, size FROM w', [null, 'w']],
    ['SELECT x, rowid, _rowid_ FROM plain', [null, null, null]],
    ['SELECT id, max(a), parent FROM t GROUP BY parent', ['t', null, 't']],
    ['SELECT id, a FROM t WHERE a IS NOT DISTINCT FROM t.a AND id IN (SELECT t_id FROM u)', ['t', 't']],
    ['SELECT 1', [null]],
  ])('%s', (sql, tables) => {
    expect(tablesOf(connection, sql.replace(' WHERE a > ?', " WHERE a > ''"))).toEqual(tables);
  });

  test('no query whatever makes an edit go to another row', () => {
    const source = fc.constantFrom(
      't',
      't',
      'main.t',
      'u',
      'w',
      'v',
      'vv',
      'c',
      '"t"',
      '(SELECT * FROM t)',
      '(SELECT id, a FROM c)',
      '(t)',
      '(SELECT max(id) AS id, a FROM t)',
    );
    const item = fc.constantFrom(
      '*',
      'x0.*',
      '(SELECT a FROM t ORDER BY id DESC LIMIT 1)',
      '(SELECT a FROM v LIMIT 1)',
      '(SELECT u FROM u)',
      'max(1)',
      '(SELECT a FROM c)',
    );
    const query = fc.record({
      sources: fc.array(source, { minLength: 1, maxLength: 3 }),
      items: fc.array(item, { minLength: 1, maxLength: 2 }),
      join: fc.constantFrom(', ', ' JOIN ', ' LEFT JOIN ', ' CROSS JOIN ', ' NATURAL JOIN '),
      tail: fc.constantFrom('', '', ' ORDER BY 1 DESC', ' GROUP BY 2', ' UNION ALL SELECT * FROM t', ' LIMIT 3'),
      alias: fc.boolean(),
    });
    let editable = 0;
    fc.assert(
      fc.property(query, ({ sources, items, join, tail, alias }) => {
        const from = sources
          .map((name, index) => (alias || name.startsWith('(') ? `${name.replace(/^\(t\)$/, 't')} AS x${index}` : name))
          .join(join);
        const sql = `WITH c AS (SELECT id, a FROM t WHERE id < 4) SELECT ${items.join(', ')} FROM ${from}${tail}`;
        try {
          connection.prepare(sql).finalize();
        } catch {
          return;
        }
        editable += tablesOf(connection, sql).filter(Boolean).length;
      }),
      { numRuns: seedCount(600), seed: 10 },
    );
    expect(editable).toBeGreaterThan(seedCount(600) / 10);
  });

  test('says what is missing', () => {
    const why = (sql: string, column: number): string => (read(connection, sql).edits[column] as { why: string }).why;
    expect(why('SELECT a FROM t', 0)).toContain('Add id to the SELECT');
    expect(why('SELECT u FROM u', 0)).toContain('Add code to the SELECT');
    expect(why('SELECT size FROM w', 0)).toContain('Add name to the SELECT');
    expect(why('SELECT a + 1 FROM t', 0)).toContain('computed');
    expect(why('SELECT a FROM v', 0)).toContain('the view “v”');
    expect(why('SELECT x.id, y.a FROM t x, t y', 1)).toContain('more than once');
    expect(editableColumns(connection, null, [{ name: 'x', declaredType: '', origin: null }])[0]).toMatchObject({
      why: expect.stringContaining('single SELECT') as string,
    });
  });
});

test('tables are counted where the text names them as sources', () => {
  const counts = (sql: string) => Object.fromEntries(sourcesOf(sql).counts);
  expect(counts('SELECT a, t FROM T, "u" JOIN [v] ON f(a, t) = 1, w')).toEqual({ t: 1, u: 1, v: 1, w: 1 });
  expect(counts("SELECT (SELECT 1 FROM main.t), x FROM ((t) JOIN 't' USING (id, t)) -- FROM t")).toEqual({ t: 3 });
  expect([...sourcesOf('WITH c(a, b) AS (SELECT 1), d AS NOT MATERIALIZED (SELECT 2) SELECT 3').expressions]).toEqual([
    'c',
    'd',
  ]);
});
