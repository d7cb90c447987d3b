// Random changes of random tables: afterward the data is the same, the schema is the intended one and everything else is unchanged, to the
// byte; or the change was refused, and nothing differs. SIDELITE_SEEDS=50000 SIDELITE_SEED=1 tries that many on each engine.
import { expect, test } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { diffTable, identityByName } from '#shared/ddl/diff-table.ts';
import { parseTable } from '#shared/ddl/parse-table.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { SchemaChangeReport } from '#shared/protocol/schema-change.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { changeSchema, isClean } from './change.ts';
import { asOnServer, endlessTurn, finish, testEngines } from './engines.test-suite.ts';
import { randomCase } from './random-schemas.test-suite.ts';
import type { RandomCase } from './random-schemas.test-suite.ts';
import { Work } from './work.ts';

const SEEDS = seeds(1000, 20);
const MINUTES = 60_000;

/** Everything except the table itself, without positions in the schema. */
function around(connection: Connection, { table, changes }: RandomCase): readonly string[] {
  const gone = changes.flatMap((change) => (change.kind === 'drop' ? [change.name] : []));
  const objects = ['main', 'temp'].flatMap((schema) =>
    connection.all(
      `SELECT type, name, tbl_name, sql FROM ${schema}.sqlite_schema WHERE name <> ? AND name NOT LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\' AND name <> 'sqlite_sequence'
       AND name NOT GLOB 'sidelite_????????_*'`,
      [table],
    ),
  );
  const lines = objects.filter(([, name]) => !gone.includes(name as string)).map((row) => JSON.stringify(row));
  const others = connection.all(
    "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> ? AND name NOT LIKE 'sqlite\\_stat_' ESCAPE '\\' AND name <> 'sqlite_sequence' AND rootpage > 0",
    [table],
  );
  for (const [name] of others)
    for (const row of connection.all(`SELECT * FROM main.${quoteName(name as string)}`))
      lines.push(show([name, ...row]));
  return lines.toSorted();
}

const show = (row: readonly unknown[]): string =>
  JSON.stringify(row, (_key, value: unknown) =>
    typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Uint8Array
        ? [...value]
        : Object.is(value, -0)
          ? '-0'
          : value,
  );

/** Rows as the engine's own values, which distinguish INTEGER from REAL. */
function rows(connection: Connection, table: string, columns: readonly string[]): readonly string[] {
  if (columns.length === 0) return connection.all(`SELECT count(*) FROM main.${quoteName(table)}`).map(show);
  const list = columns.map(
    (column) => `${quoteName(column)}, typeof(${quoteName(column)}), quote(${quoteName(column)})`,
  );
  return connection
    .all(`SELECT ${list.join(', ')} FROM main.${quoteName(table)}`)
    .map(show)
    .toSorted();
}

/** Word for word, or with the same meaning and comments where ALTER has written it. */
function expectSql(connection: Connection, { table, sql }: RandomCase): void {
  const [found] = connection.one("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [table]) as [
    string,
  ];
  if (found === sql) return;
  const [is, wanted] = [parseTable(found), parseTable(sql)];
  if (!is.understood || !wanted.understood) throw new Error(`Not understood: ${found}`);
  expect(diffTable(is, wanted, identityByName(is, wanted)).changes).toEqual([{ kind: 'set-text' }]);
  const comments = (text: string): unknown => text.match(/\/\*.*?\*\/|-- to the end/g);
  expect(comments(found)).toEqual(comments(sql));
}

function setUp(connection: Connection, { setup }: RandomCase): void {
  connection.run('BEGIN');
  for (const sql of setup) {
    try {
      connection.run(sql);
    } catch {
      // Some do not fit every table.
    }
  }
  connection.run('COMMIT');
}

/** Returns the outcome. */
function tryCase(connection: Connection, given: RandomCase): 'none' | 'refused' | 'kept' | 'discarded' {
  setUp(connection, given);
  if (connection.one("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [given.table]) === null)
    return 'none';
  const settings = (): unknown =>
    ['foreign_keys', 'legacy_alter_table', 'recursive_triggers'].map((name) => connection.one(`PRAGMA ${name}`));
  const [settingsBefore, before, aroundBefore] = [settings(), dumpDatabase(connection), around(connection, given)];
  const sequence = (): unknown =>
    given.countsOn ? connection.one('SELECT seq FROM sqlite_sequence WHERE name = ?', [given.table]) : null;
  const counted = sequence();
  const wasWhole = show(connection.all('PRAGMA integrity_check'));
  const values = rows(connection, given.table, given.same.map(([name]) => name)); // prettier-ignore
  let report: Omit<SchemaChangeReport, 'kept'>;
  try {
    report = finish(changeSchema(new Work(endlessTurn(connection), () => undefined), given.changes));
  } catch (error) {
    if (!(error instanceof AppError) || !['constraint', 'sql'].includes(error.code)) throw error;
    expect(dumpDatabase(connection)).toBe(before);
    expect(settings()).toEqual(settingsBefore);
    return 'refused';
  }
  connection.run(given.keep ? 'COMMIT' : 'ROLLBACK');
  expect(settings()).toEqual(settingsBefore);
  if (!given.keep) {
    expect(dumpDatabase(connection)).toBe(before);
    return 'discarded';
  }
  expectSql(connection, given);
  expect(rows(connection, given.table, given.same.map(([, name]) => name))).toEqual(values); // prettier-ignore
  if (!given.renames) expect(around(connection, given)).toEqual(aroundBefore);
  expect(sequence()).toEqual(counted);
  if (wasWhole === '[["ok"]]') expect(connection.all('PRAGMA integrity_check')).toEqual([['ok']]);
  if (given.keepsColumns && !isClean(report)) expectBrokenRightly(report, given);
  return 'kept';
}

/** Keys may have lost the uniqueness they refer to, and FTS5 the row ids, or the names, by which it knows another table. */
function expectBrokenRightly(report: Omit<SchemaChangeReport, 'kept'>, { sql, renames }: RandomCase): void {
  const isRight = (kind: string): boolean =>
    kind === 'table' || (kind === 'virtual' && (renames || sql.endsWith('WITHOUT ROWID')));
  expect(report.broken.filter(({ kind }) => !isRight(kind))).toEqual([]);
  expect(report.integrity).toEqual([]);
}

test.each([...testEngines, asOnServer])(
  'random changes of random tables lose nothing, $name',
  ({ open }) => {
    const counts = { none: 0, refused: 0, kept: 0, discarded: 0 };
    for (const seed of SEEDS) {
      const connection = open();
      const given = randomCase(seed);
      try {
        counts[tryCase(connection, given)]++;
      } catch (error) {
        throw new Error(`Seed ${seed}: ${String(error)}\n${[...given.setup, given.sql].join(';\n')}`, { cause: error });
      } finally {
        connection.close();
      }
    }
    if (SEEDS.length >= 200) expect(counts.kept).toBeGreaterThan(SEEDS.length / 6);
  },
  60 * MINUTES,
);
