// Random schemas made like each other: afterward the first is like the second and what both have has kept its rows, or the migration was
// refused and nothing is another. SIDELITE_SEEDS=5000 SIDELITE_SEED=1 tries as many on each engine.
import { expect, test } from 'vitest';
import { seeds } from '#shared/seed-count.test-suite.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { createRandom } from '#shared/random.ts';
import { NO_RENAMES } from '#shared/schema-diff/accepted-renames.ts';
import { compareSchemas } from '#shared/schema-diff/compare-schemas.ts';
import { migrationScript } from '#shared/schema-diff/migration-script.ts';
import { migrationChanges, migrationSteps } from '#shared/schema-diff/migration.ts';
import { remainingDifferences } from '#shared/schema-diff/remaining.ts';
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { dumpDatabase } from '../engines/contract/dump.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import { changeSchema } from '../schema-change/change.ts';
import { endlessTurn, finish, testEngines } from '../schema-change/engines.test-suite.ts';
import { randomCase } from '../schema-change/random-schemas.test-suite.ts';
import type { RandomCase } from '../schema-change/random-schemas.test-suite.ts';
import { Work } from '../schema-change/work.ts';
import { readSchemaText } from '../schema/schema-text.ts';
import { quoteName } from '../sql/quote.ts';

const SEEDS = seeds(300);
const MINUTES = 60_000;

function setUp(connection: Connection, statements: readonly string[]): void {
  connection.run('BEGIN');
  for (const sql of statements) {
    try {
      connection.run(sql);
    } catch {
      // Some do not fit every table, and names are taken.
    }
  }
  connection.run('COMMIT');
}

interface Migration {
  readonly from: Connection;
  /** Same contents as `from`. */
  readonly copy: Connection;
  readonly to: Connection;
  /** The tables that may exist on both sides, one of them changed. */
  readonly cases: readonly RandomCase[];
}

/** The second has what became of some tables of the first, lacks some, and has others. */
function setUpBoth(seed: number, from: Connection, copy: Connection, to: Connection): Migration {
  const random = createRandom(seed);
  const cases = [1, 2, 3].map((number) => randomCase(seed * 10 + number));
  for (const one of [from, copy]) setUp(one, cases.slice(0, 2).flatMap(({ setup }) => setup)); // prettier-ignore
  const [changed, kept, added] = cases as [RandomCase, RandomCase, RandomCase];
  setUp(to, [
    changed.sql,
    ...changed.setup.slice(1).filter(() => random.chance(0.8)),
    ...(random.chance(0.6) ? kept.setup : []),
    ...added.setup,
    `PRAGMA user_version = ${random.between(-5, 5)}`,
  ]);
  return { from, copy, to, cases };
}

const show = (row: readonly unknown[]): string =>
  JSON.stringify(row, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}n` : value instanceof Uint8Array ? [...value] : value,
  );

/** Rows as the engine's own values, which distinguish INTEGER from REAL. */
function rowsOf(connection: Connection, table: string, columns: readonly string[]): readonly string[] {
  const list = columns.map((name) => `typeof(${quoteName(name)}), quote(${quoteName(name)})`);
  return connection
    .all(`SELECT ${['1', ...list].join(', ')} FROM main.${quoteName(table)}`)
    .map(show)
    .sort();
}

/** Columns of a table of the first case whose values must stay: they have the same name, type, and kind on both sides. */
function keptColumns(given: RandomCase): readonly string[] {
  return given.same.flatMap(([before, after]) => (before === after ? [after] : []));
}

type Outcome = 'same' | 'refused' | 'migrated';

/** The script of a migration does the same in any program. */
function expectScriptDoesTheSame(migrated: Connection, copy: Connection, statements: readonly string[]): void {
  const script = copy.script(migrationScript('Test', statements));
  try {
    for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  } finally {
    script.dispose();
  }
  expect(readSchemaText(copy)).toEqual(readSchemaText(migrated));
  for (const { name } of readSchemaText(copy).objects.filter(({ kind }) => kind === 'table'))
    expect(rowsOf(copy, name, [])).toEqual(rowsOf(migrated, name, []));
  const sequence = (connection: Connection): unknown =>
    connection.one("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'") &&
    connection.all('SELECT name, seq FROM sqlite_sequence ORDER BY 1, 2').map(show);
  expect(sequence(copy)).toEqual(sequence(migrated));
}

function tryMigration({ from, copy, to, cases }: Migration, keepsEverything: boolean): Outcome {
  const goal = readSchemaText(to);
  const difference = compareSchemas(readSchemaText(from), goal, { meaningOnly: true, renames: NO_RENAMES });
  const steps = migrationSteps(difference);
  const chosen = new Set(steps.filter(({ losesData }) => !(keepsEverything && losesData)).map(({ id }) => id));
  const changes: readonly SchemaChange[] = migrationChanges(difference, chosen);
  if (changes.length === 0) return 'same';
  const before = dumpDatabase(from);
  const [changed] = cases as [RandomCase];
  const isThere = (connection: Connection): boolean =>
    connection.one("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [changed.table]) !== null;
  const columns = isThere(from) && isThere(to) ? keptColumns(changed) : null;
  const rows = columns && rowsOf(from, changed.table, columns);
  const work = new Work(endlessTurn(from), () => undefined);
  try {
    finish(changeSchema(work, changes));
  } catch (error) {
    if (!(error instanceof AppError) || !['constraint', 'sql', 'invalid'].includes(error.code)) throw error;
    expect(dumpDatabase(from)).toBe(before);
    return 'refused';
  }
  from.run('COMMIT');
  expectScriptDoesTheSame(from, copy, work.sql);
  const { unexpected } = remainingDifferences(readSchemaText(from), goal, steps, chosen);
  expect(unexpected.map(({ id, from: is, to: wanted }) => [id, is?.sql, wanted?.sql])).toEqual([]);
  if (rows) expect(rowsOf(from, changed.table, columns)).toEqual(rows);
  if (keepsEverything) expectNothingLost(before, dumpDatabase(from));
  return 'migrated';
}

/** Every table that existed still exists. */
function expectNothingLost(before: string, after: string): void {
  const tables = (dump: string): readonly string[] => dump.match(/^CREATE TABLE .*$/gm) ?? [];
  expect(tables(after).length).toBeGreaterThanOrEqual(tables(before).length);
}

test.each(testEngines)(
  'random schemas are made like each other, $name',
  ({ open }) => {
    const counts: Record<Outcome, number> = { same: 0, refused: 0, migrated: 0 };
    for (const seed of SEEDS) {
      const [from, copy, to] = [open(), open(), open()];
      try {
        counts[tryMigration(setUpBoth(seed, from, copy, to), seed % 3 === 0)]++;
      } catch (error) {
        throw new Error(`Seed ${seed}: ${String(error)}`, { cause: error });
      } finally {
        from.close();
        copy.close();
        to.close();
      }
    }
    if (SEEDS.length >= 60) expect(counts.migrated).toBeGreaterThan(SEEDS.length / 4);
  },
  60 * MINUTES,
);
