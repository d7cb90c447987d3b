// Effects of a schema change, and obstacles to it: reported before anything is done.
import type {
  SchemaChange,
  SchemaName,
  SchemaObstacle,
  SchemaPlan,
  SchemaStep,
  BrokenObject,
} from '#shared/protocol/schema-change.ts';
import { dropSql, emptyTableSql, renameTableSql } from '#shared/ddl/change-sql.ts';
import { parseIndex, parseObject } from '#shared/ddl/parse-object.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import { estimateRows } from '../schema/row-estimate.ts';
import { describeTable } from '../schema/table-shape.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { keyOf, failures, newlyFailed } from './compiles.ts';
import { duplicationSql } from './duplicate.ts';
import { numberSql } from './number-sql.ts';
import { obstaclesOf, obstaclesOfIndex } from './obstacles.ts';
import { recreationSql, changeObject, create, keepViewTriggers } from './recreate.ts';
import { copyInto, withScratch } from './scratch.ts';
import { planTable, type TablePlan } from './table-plan.ts';
import { usesOf } from './uses.ts';
import { planVirtual } from './virtual.ts';
import type { Work } from './work.ts';

const SAMPLE_ROWS = 5000;

/** Call outside of transactions. @throws AppError `not-found`, `invalid` */
export function* planChanges(work: Work, changes: readonly SchemaChange[]): Generator<Pause, SchemaPlan> {
  const { connection } = work;
  assertNoTransaction(connection);
  const steps: SchemaStep[] = [];
  const obstacles: SchemaObstacle[] = [];
  const dependents = new Map<string, SchemaName>();
  for (const change of changes) {
    const plan = change.kind === 'change-table' ? planTable(connection, change) : null;
    steps.push(
      ...(plan === null ? stepsOf(connection, change) : stepsOfPlan(connection, plan, change as { table: string })),
    );
    if (plan !== null) obstacles.push(...(yield* obstaclesOf(work, plan)));
    if (change.kind === 'create' || change.kind === 'change-object')
      obstacles.push(...(yield* obstaclesOfIndex(work, change.sql)));
    const table = mentioned(change);
    if (table !== null) for (const object of yield* usesOf(work, table, null)) dependents.set(keyOf(object), object);
    yield* work.look();
  }
  const broken = yield* brokenBy(work, changes);
  return { steps, obstacles, dependents: [...dependents.values()], broken };
}

/** The table or view that others may mention. */
function mentioned(change: SchemaChange): string | null {
  switch (change.kind) {
    case 'change-table':
    case 'change-virtual':
    case 'rename-table':
    case 'empty-table':
      return change.table;
    case 'drop':
    case 'change-object':
      return change.object === 'table' || change.object === 'view' ? change.name : null;
    default:
      return null;
  }
}

function stepsOfPlan(
  connection: Connection,
  plan: TablePlan,
  { table }: { readonly table: string },
): readonly SchemaStep[] {
  const rows = rowsOf(connection, table);
  const statements = plan.alters.map((sql): SchemaStep => ({
    kind: 'statement',
    sql,
    rows: plan.rebuild === null && plan.readsRows ? rows : null,
  }));
  if (plan.rebuild === null) return statements;
  const { sql } = plan.rebuild;
  return [...statements, { kind: 'rebuild', table: plan.table, sql, rows, ...estimate(connection, table, rows) }];
}

function stepsOf(connection: Connection, change: SchemaChange): readonly SchemaStep[] {
  const one = (sql: string, rows: number | null = null): readonly SchemaStep[] => [{ kind: 'statement', sql, rows }];
  switch (change.kind) {
    case 'rename-table':
      return one(renameTableSql(change.table, change.to));
    case 'empty-table':
      return one(emptyTableSql(change.table), rowsOf(connection, change.table));
    case 'duplicate-table': {
      const [create, ...fill] = duplicationSql(connection, change);
      return [...one(create!), ...fill.flatMap((sql) => one(sql, rowsOf(connection, change.table)))];
    }
    case 'drop':
      return one(dropSql(change.object, change.name));
    case 'create':
      return one(change.sql, rowsOfIndex(connection, change.sql));
    case 'change-object':
      return recreationSql(connection, change).flatMap((sql) => one(sql, rowsOfIndex(connection, sql)));
    case 'set-number':
      return one(numberSql(change));
    case 'change-virtual':
      return [planVirtual(connection, change)];
    case 'change-table':
      return [];
  }
}

/** How many rows an index reads; null for other statements. */
function rowsOfIndex(connection: Connection, sql: string): number | null {
  const index = parseIndex(sql);
  return index.understood ? rowsOf(connection, index.table.name) : null;
}

function rowsOf(connection: Connection, table: string): number | null {
  const { name, key } = describeTable(connection, table);
  return estimateRows(connection, name, key.kind === 'rowid' ? key.name : null)?.count ?? null;
}

/** The first rows of the table are written to memory with its indexes, and checked: so long, and so large, for each of them. */
function estimate(
  connection: Connection,
  table: string,
  rows: number | null,
): { readonly bytes: number | null; readonly timeMs: number | null } {
  const unknown = { bytes: null, timeMs: null };
  // A server has no memory to try it in.
  if (rows === null || connection.isMetered === true) return unknown;
  try {
    return withScratch(connection, (schema) => {
      copyInto(connection, schema, table);
      const { name, columns } = describeTable(connection, table);
      const [t, scratch] = [`main.${quoteName(name)}`, `${schema}.${quoteName(name)}`];
      connection.run(`DELETE FROM ${scratch}`);
      const size = (): number =>
        Number(connection.one(`PRAGMA ${schema}.page_count`)![0]) *
        Number(connection.one(`PRAGMA ${schema}.page_size`)![0]);
      const empty = size();
      const list = quoteNames(columns.filter(({ generated }) => generated === 'no').map((column) => column.name));
      const began = performance.now();
      const sampled = connection.run(`INSERT INTO ${scratch} (${list}) SELECT ${list} FROM ${t} LIMIT ${SAMPLE_ROWS}`);
      connection.all(`PRAGMA ${schema}.quick_check`);
      if (sampled === 0) return unknown;
      const times = rows / sampled;
      return {
        bytes: Math.round((size() - empty) * times),
        timeMs: Math.round((performance.now() - began) * times),
      };
    });
  } catch (error) {
    if (error instanceof AppError && error.code !== 'stopped') return unknown;
    throw error;
  }
}

/**
 * Tries statements that create views, triggers, and virtual tables, in a transaction that is rolled back, and returns what would not compile.
 * @throws AppError if SQLite rejects one of the statements
 */
function* brokenBy(work: Work, changes: readonly SchemaChange[]): Generator<Pause, readonly BrokenObject[]> {
  const { connection } = work;
  if (changes.length === 0 || !changes.every(readsNoRows)) return [];
  work.tell('Compiling what depends on it');
  yield* work.look();
  return work.try(function* () {
    connection.beginWithoutForeignKeys();
    try {
      const before = yield* failures(work);
      const putTriggersBack = keepViewTriggers(work, changes);
      for (const change of changes) {
        if (change.kind === 'create') create(work, change.sql);
        else if (change.kind === 'change-object') changeObject(work, change);
      }
      putTriggersBack();
      return newlyFailed(before, yield* failures(work), changes);
    } finally {
      if (!connection.autocommit) connection.run('ROLLBACK');
    }
  });
}

/** Excludes changes that would build an index. */
function readsNoRows(change: SchemaChange): boolean {
  if (change.kind === 'change-object') return change.object !== 'index';
  if (change.kind !== 'create') return false;
  const model = parseObject(change.sql);
  return model.understood && model.kind !== 'index';
}
