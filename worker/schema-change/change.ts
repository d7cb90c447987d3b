// Makes changes of the schema in one transaction that is left open, with a report of what it did.
import { dropSql, emptyTableSql, renameTableSql } from '#shared/ddl/change-sql.ts';
import { sameName } from '#shared/ddl/names.ts';
import { AppError, inParts, toErrorData, whatHappened } from '#shared/protocol/errors.ts';
import type {
  IndexedRows,
  SchemaChange,
  SchemaChangeReport,
  SchemaName,
  TableProof,
} from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { checkTable } from '../engines/file-check.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import type { Pause } from '../sessions/session.ts';
import { brokenAside } from './broken-aside.ts';
import { findBrokenKeys, newlyBroken, newMismatches, tablesWithKeys } from './broken-keys.ts';
import { failures, newlyFailed } from './compiles.ts';
import { duplicateTable } from './duplicate.ts';
import { numberSql } from './number-sql.ts';
import { rebuildTable } from './rebuild.ts';
import { changeObject, create, keepViewTriggers } from './recreate.ts';
import { planTable } from './table-plan.ts';
import type { TablePlan } from './table-plan.ts';
import { changeVirtual, fillNew } from './virtual.ts';
import type { Work } from './work.ts';

interface Done {
  readonly tables: TableProof[];
  readonly indexed: IndexedRows[];
  readonly restored: SchemaName[];
  /** Tables on which an integrity check is run. */
  readonly made: string[];
}

/** The transaction is open afterward. @throws AppError, after which everything is as before */
export function* changeSchema(
  work: Work,
  changes: readonly SchemaChange[],
): Generator<Pause, Omit<SchemaChangeReport, 'kept'>> {
  const { connection } = work;
  assertNoTransaction(connection);
  const started = performance.now();
  const plans = new Map<SchemaChange, TablePlan>();
  for (const change of changes) if (change.kind === 'change-table') plans.set(change, planTable(connection, change));
  connection.beginWithoutForeignKeys();
  let whole = false;
  try {
    work.tell('Checking what depends on it');
    const before = yield* failures(work);
    const touched = changes.flatMap((change) => tablesOf(connection, change, plans.get(change) ?? null));
    const keysBefore = yield* findBrokenKeys(work, tablesWithKeys(connection, touched));
    const done: Done = { tables: [], indexed: [], restored: [], made: [] };
    const putTriggersBack = keepViewTriggers(work, changes);
    const alters = changes.some((change) => change.kind === 'rename-table' || plans.get(change)?.alters.length);
    // Other changes name the objects they change.
    const areOfTables = changes.every(({ kind }) => kind === 'rename-table' || kind === 'change-table');
    const nameAfter = (table: string): string => changes.reduce((name, change) => renamed(change, plans, name), table);
    const putBrokenBack = alters && areOfTables ? brokenAside(work, before, nameAfter) : () => [];
    for (const change of changes) {
      const plan = plans.get(change);
      if (plan === undefined) yield* carryOut(work, change, changes, done);
      else yield* changeTable(work, plan, changes, done);
    }
    done.restored.push(...putTriggersBack(), ...putBrokenBack());
    work.tell('Checking what depends on it');
    const after = yield* failures(work);
    const keysChecked = tablesWithKeys(connection, touched);
    const keysAfter = yield* findBrokenKeys(work, keysChecked);
    const { made, ...changed } = done;
    const integrity = yield* checkTables(work, made);
    const mismatches = newMismatches(keysBefore, keysAfter);
    const report = {
      sql: work.sql,
      timeMs: performance.now() - started,
      ...changed,
      broken: [
        ...newlyFailed(before, after, changes),
        ...mismatches.map(([name, message]) => ({ kind: 'table' as const, name, table: name, message })),
      ],
      brokenBefore: [...before].flatMap(([key, { kind, name, table }]) =>
        after.has(key) ? [{ kind, name, table }] : [],
      ),
      brokenKeys: newlyBroken(keysBefore, keysAfter),
      keysChecked,
      integrityChecked: made,
      integrity,
    };
    whole = true;
    return report;
  } catch (error) {
    throw asBefore(error);
  } finally {
    work.turn.measureBy(null);
    // A full disk, or a Stop inside SQLite, may have ended it already.
    if (!whole && !connection.autocommit) connection.run('ROLLBACK');
  }
}

/** The name of a table after one change. */
function renamed(change: SchemaChange, plans: ReadonlyMap<SchemaChange, TablePlan>, table: string): string {
  if (change.kind === 'rename-table') return sameName(change.table, table) ? change.to : table;
  const plan = plans.get(change);
  return plan && change.kind === 'change-table' && sameName(change.table, table) ? plan.table : table;
}

/** True if nothing is worse than before. */
export function isClean({ broken, brokenKeys, integrity }: Omit<SchemaChangeReport, 'kept'>): boolean {
  return broken.length === 0 && brokenKeys.length === 0 && integrity.length === 0;
}

/** Tables whose foreign keys, or those that refer to them, may lead nowhere afterward. */
function tablesOf(connection: Connection, change: SchemaChange, plan: TablePlan | null): readonly string[] {
  switch (change.kind) {
    case 'change-table':
      return plan?.touchesKeys === true ? [change.table, plan.table] : [];
    case 'rename-table':
      return [change.table, change.to];
    case 'create':
    case 'change-virtual':
    case 'duplicate-table':
    case 'set-number':
      return [];
    case 'change-object':
    case 'drop':
      if (change.object === 'index') return tablesOfUniqueIndex(connection, change.name);
      return change.object === 'table' ? [change.name] : [];
    default:
      return [change.table];
  }
}

/** Keys may refer to the columns of a unique index. */
function tablesOfUniqueIndex(connection: Connection, index: string): readonly string[] {
  const row = connection.one(
    `SELECT m.tbl_name FROM main.sqlite_schema m, pragma_index_list(m.tbl_name, 'main') l
     WHERE m.type = 'index' AND m.name = ?1 COLLATE NOCASE AND l.name = m.name AND l."unique" = 1`,
    [index],
  );
  return row === null ? [] : [row[0] as string];
}

function* carryOut(work: Work, change: SchemaChange, all: readonly SchemaChange[], done: Done): Generator<Pause, void> {
  switch (change.kind) {
    case 'rename-table':
      work.run(renameTableSql(change.table, change.to));
      return;
    case 'empty-table':
      work.run(emptyTableSql(change.table));
      return;
    case 'duplicate-table': {
      const proof = yield* duplicateTable(work, change);
      if (proof !== null) done.tables.push(proof);
      done.made.push(change.to);
      return;
    }
    case 'create': {
      create(work, change.sql);
      const indexed = yield* fillNew(work, change.sql);
      if (indexed !== null) done.indexed.push(indexed);
      return;
    }
    case 'change-virtual': {
      const proof = yield* changeVirtual(work, change);
      done.tables.push(proof);
      done.made.push(proof.table);
      return;
    }
    case 'change-object':
      done.restored.push(...changeObject(work, change));
      return;
    case 'drop':
      drop(work, change, all);
      return;
    case 'set-number':
      work.run(numberSql(change));
      return;
    case 'change-table':
      throw new Error('A table is changed by its plan.');
  }
}

function* changeTable(work: Work, plan: TablePlan, all: readonly SchemaChange[], done: Done): Generator<Pause, void> {
  for (const sql of plan.alters) {
    work.tell(`Changing ${plan.table}`);
    yield* work.look();
    work.run(sql);
  }
  if (plan.rebuild === null) return;
  // Objects that another change drops or replaces are not recreated as they were.
  const without = new Set(all.flatMap((other) => (other.kind === 'drop' ? [other.name.toLowerCase()] : [])));
  const { proof, restored } = yield* rebuildTable(work, { table: plan.table, ...plan.rebuild, without });
  done.tables.push(proof);
  done.restored.push(...restored);
  done.made.push(proof.table);
}

function drop(
  work: Work,
  { object, name }: Extract<SchemaChange, { kind: 'drop' }>,
  all: readonly SchemaChange[],
): void {
  // Already dropped with its table, or left out when that was rebuilt.
  const isGone = work.connection.one('SELECT 1 FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE', [name]) === null;
  if (isGone && all.some(({ kind }) => kind === 'change-table')) return;
  work.run(dropSql(object, name));
}

function* checkTables(work: Work, tables: readonly string[]): Generator<Pause, readonly string[]> {
  const messages: string[] = [];
  for (const table of tables) {
    work.tell(`Checking ${table}`);
    yield* work.look();
    messages.push(...checkTable(work.connection, table));
  }
  return messages;
}

function asBefore(thrown: unknown): unknown {
  if (!(thrown instanceof AppError)) return thrown;
  const what = thrown.code === 'stopped' ? 'The schema change was stopped.' : whatHappened(thrown);
  return new AppError({ ...toErrorData(thrown), ...inParts(what, 'Everything is as it was before.') });
}
