// Schemas of well-known applications and of the sample, saved as the designer saves them without a change: no statement is planned, and
// nothing differs afterward, to the byte.
import { expect, test } from 'vitest';
import { KNOWN_SCHEMAS } from '#shared/ddl/known-schemas.test-suite.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import { INDEXES_AND_VIEWS_SQL, TABLES_SQL, TRIGGERS_SQL } from '../sample/sample-database.ts';
import { changeSchema, isClean } from './change.ts';
import { endlessTurn, finish, testEngines } from './engines.test-suite.ts';
import { planChanges } from './plan.ts';
import { Work } from './work.ts';

const schemas = { ...KNOWN_SCHEMAS, 'the sample': [TABLES_SQL, INDEXES_AND_VIEWS_SQL, TRIGGERS_SQL].join(';') };

test('there are enough of them', () => {
  expect(Object.keys(schemas).length).toBeGreaterThan(20);
});

test.each(testEngines)('every table saved without a change is left as it is, $name', (engine) => {
  let tables = 0;
  for (const [name, text] of Object.entries(schemas)) {
    const connection = engine.open();
    const script = connection.script(text);
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
    script.dispose();
    const before = dumpDatabase(connection);
    const rows = connection.all(
      "SELECT name, sql FROM sqlite_schema s WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND EXISTS (SELECT 1 FROM pragma_table_list l WHERE l.name = s.name AND l.type = 'table')",
    ) as readonly (readonly [string, string])[];
    for (const [table, sql] of rows) {
      const columns = connection.all('SELECT name FROM pragma_table_xinfo(?)', [table]).map(([column]) => column as string); // prettier-ignore
      const changes = [{ kind: 'change-table', table, sql, columns }] as const;
      const work = new Work(endlessTurn(connection), () => undefined);
      expect(finish(planChanges(work, changes)).steps, `${table} of ${name}`).toEqual([]);
      const report = finish(changeSchema(new Work(endlessTurn(connection), () => undefined), changes));
      connection.run('COMMIT');
      expect({ sql: report.sql, tables: report.tables, isClean: isClean(report) }, `${table} of ${name}`).toEqual({ sql: [], tables: [], isClean: true }); // prettier-ignore
      tables++;
    }
    expect(dumpDatabase(connection), `${name}`).toBe(before);
    connection.close();
  }
  expect(tables).toBeGreaterThan(60);
});
