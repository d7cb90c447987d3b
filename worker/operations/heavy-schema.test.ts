// What a window does with a database that was made to block SQLite: each part of it ends, and shows the rest.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, test } from 'vitest';
import type { Connection } from '../engines/engine.ts';
import { checkFile } from '../engines/file-check.ts';
import { openOnBoth } from '../engines/same-answers/both-engines.test-suite.ts';
import { thrownBy } from '../engines/thrown-by.test-suite.ts';
import { searchTables } from '../explore/search-tables.ts';
import { dumpParts } from '../export/dump-parts.ts';
import { checkKeys } from '../health/key-checks.ts';
import { overview } from '../health/overview.ts';
import { checkText, checkValues } from '../health/row-checks.ts';
import { checkStructure } from '../health/structure.ts';
import { storedColumns, tableNames } from '../library/source/compare-databases.ts';
import { Scan } from '../readers/scan.ts';
import { listColumns } from '../schema/table-columns.ts';
import { readDiagram } from '../schema/diagram.ts';
import { explainMissing } from '../schema/missing-name.ts';
import { listObjects } from '../schema/schema-objects.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { Turn } from '../sessions/session.ts';

const chain = (length: number, make: (at: number) => string): string =>
  Array.from({ length }, (_, at) => make(at)).join('');

/** SQLite would not create the tables, but opens a file that has them. */
const SCHEMA = `
  CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'one'), (2, 'two');
  CREATE TABLE child (a REFERENCES v40, b REFERENCES doubled); INSERT INTO child VALUES (1, 2);
  CREATE TABLE doubled (a0, a1 AS (a0)); INSERT INTO doubled VALUES (1);
  CREATE TABLE deep (a0, a1 AS (a0)); CREATE INDEX of_deep ON deep (a1); INSERT INTO deep VALUES (1);
  CREATE VIEW v0 AS SELECT a FROM t;
  ${chain(40, (at) => `CREATE VIEW v${at + 1} AS SELECT x.a FROM v${at} x JOIN v${at} y;`)}
  CREATE VIEW l0 AS SELECT a FROM t;
  ${chain(600, (at) => `CREATE VIEW l${at + 1} AS SELECT a FROM l${at};`)}
  CREATE VIEW fine AS SELECT * FROM v3;
  CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO child (a) SELECT a FROM v40; END;`;
const DOUBLED = `CREATE TABLE doubled (a0${chain(40, (at) => `, a${at + 1} AS (a${at} + a${at})`)})`;
const DEEP = `CREATE TABLE deep (a0${chain(60, (at) => `, a${at + 1} AS (${'abs('.repeat(200)}a${at}${')'.repeat(200)})`)})`;
const HEAVY = ['v40', 'l600', 'doubled', 'deep'];

const folder = mkdtempSync(join(tmpdir(), 'sidelite-heavy-'));
const path = join(folder, 'heavy.sqlite3');
const made = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false });
made.exec(`BEGIN; ${SCHEMA} COMMIT; PRAGMA writable_schema = ON`);
const rewrite = made.prepare('UPDATE sqlite_schema SET sql = ? WHERE name = ?');
rewrite.run(DOUBLED, 'doubled');
rewrite.run(DEEP, 'deep');
made.close();
const engines = await openOnBoth(path);
afterAll(() => {
  engines.close();
  rmSync(folder, { recursive: true });
});

const turnOf = (connection: Connection): Turn =>
  ({ connection, deadlineMs: Infinity, measureBy: () => undefined, isStopped: () => false }) as unknown as Turn;
const scanOf = (connection: Connection): Scan => new Scan(turnOf(connection), () => undefined);

function finish<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

describe.each(['wasm', 'native'] as const)('%s', (kind) => {
  const connection = (): Connection => engines[kind];

  test('the tree lists everything, and says what cannot be used', () => {
    const objects = finish(listObjects(turnOf(connection())));
    const find = (name: string) => objects.find((object) => object.name === name)!;
    for (const name of ['v40', 'v20', 'l600']) expect(find(name).problem).toContain(`“${name}”`);
    expect(find('fine').problem).toBeNull();
    expect(find('t').rows).toEqual({ count: 2, estimated: false });
    expect(find('doubled').kind).toBe('table');
  });

  test('completion, diagram, and schema have the rest', () => {
    const columns = new Map(listColumns(connection()).map((each) => [each.table, each.columns]));
    expect(columns.get('fine')).toEqual(['a']);
    expect(columns.has('v40')).toBe(false);
    const { tables } = finish(readDiagram(turnOf(connection())));
    expect(tables.find(({ name }) => name === 't')?.columns).toHaveLength(2);
    expect(tables.find(({ name }) => name === 'v40')?.columns).toEqual([]);
    expect(readSchemaText(connection()).objects.length).toBeGreaterThan(600);
    expect(tableNames(connection())).toEqual(['child', 'deep', 'doubled', 't']);
  });

  test('a table is opened, and what is too much says why', () => {
    expect(storedColumns(describeTable(connection(), 'child'))).toEqual(['a', 'b']);
    for (const name of HEAVY.slice(0, 2))
      expect(thrownBy(() => describeTable(connection(), name)).message).toContain(name);
    for (const name of HEAVY)
      expect(thrownBy(() => connection().prepare(`SELECT * FROM ${name}`)).message).toContain('Everything else');
    for (const statement of ['VACUUM', 'ANALYZE', 'REINDEX', 'PRAGMA optimize', 'CREATE INDEX i ON deep (a60)'])
      expect(thrownBy(() => connection().run(statement)).message).toContain('Everything else');
    const missing = thrownBy(() => connection().prepare('SELECT aa FROM fine'));
    expect(explainMissing(connection(), missing, 'SELECT aa FROM fine', null).message).toContain('Did you mean “a”?');
  });

  test('search, health, and export go on past it', () => {
    const searched = finish(searchTables(scanOf(connection()), 'one', () => undefined));
    expect(searched.find(({ table }) => table === 't')).toMatchObject({ hits: 1, problem: null });
    expect(searched.find(({ table }) => table === 'doubled')?.problem).toContain('a12');
    finish(overview(turnOf(connection())));
    const { messages, unchecked } = checkFile(connection(), 'integrity');
    expect([messages, unchecked.map(({ table }) => table)]).toEqual([[], ['doubled', 'deep']]);
    for (const check of [checkStructure, checkKeys, checkValues, checkText]) finish(check(scanOf(connection())));
    const parts = [...dumpParts(connection(), true)];
    expect(JSON.stringify(parts)).toContain('CREATE VIEW v40');
    expect(parts.length).toBeGreaterThan(600);
  });
});
