import { expect, test } from 'vitest';
import { EVERYTHING } from '../export/everything.test-suite.ts';
import { databaseOf, ENGINES } from '../export/export-fixture.test-suite.ts';
import { describeTable, FOREIGN_KEY_PARTS } from './table-shape.ts';
import type { TableShape } from './table-shape.ts';
import { TableShapes } from './table-shapes.ts';

const MORE = `CREATE TABLE Parent_Of (a, b COLLATE NOCASE, PRIMARY KEY (b DESC, a)) WITHOUT ROWID;
CREATE TABLE child_of (x INT PRIMARY KEY, y TEXT DEFAULT 'it', z, k AS (y || z) STORED,
  FOREIGN KEY (y, z) REFERENCES parent_of, FOREIGN KEY (z) REFERENCES nowhere (n));
CREATE VIEW lost AS SELECT * FROM missing;
CREATE TABLE hides (rowid, _rowid_, oid);`;

test.each(ENGINES)('all tables at once are described as each one by itself (%s)', (_name, engine) => {
  const connection = databaseOf(engine, `${EVERYTHING}\n${MORE}`);
  const names = connection
    .all("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")
    .map(([name]) => String(name));
  const shapes = new TableShapes(connection, names.slice(2));
  const outcome = (describe: () => TableShape): unknown => {
    try {
      return describe();
    } catch (error) {
      return (error as Error).message;
    }
  };
  for (const name of [...names, 'PARENT', 'nothing'])
    expect(outcome(() => shapes.describe(name))).toEqual(outcome(() => describeTable(connection, name)));
  expect(names.length).toBeGreaterThan(10);
});

test.each(ENGINES)('the schema is not searched once for each foreign key (%s)', (_name, engine) => {
  const plan = databaseOf(engine, 'CREATE TABLE t (a)')
    .all(`EXPLAIN QUERY PLAN SELECT ${FOREIGN_KEY_PARTS} FROM main.sqlite_schema s, pragma_foreign_key_list(s.name) f`)
    .map(([id, parent, , detail]) => ({ id, parent, detail: String(detail) }));
  const search = plan.find(({ detail }) => /^SCAN (?:main\.)?sqlite_schema/.test(detail));
  expect(plan.find(({ id }) => id === search?.parent)?.detail).toMatch(/^LIST SUBQUERY/);
});
