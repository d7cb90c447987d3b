// Makes changes of the schema in one transaction that is left open, with a report of what it did.
import { dropSql, emptyTableSql, renameTableSql, onTable } from '#shared/ddl/change-sql.ts';
import { sameName } from '#shared/ddl/names.ts';
import { AppError, inParts, toErrorData, whatHappened, toAppError } from '#shared/protocol/errors.ts';
import type {
  IndexedRows,
  SchemaChange,
  SchemaChangeReport,
  SchemaName,
  TableProof,
  BrokenKeys,
} from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { checkTable } from '../engines/file-check.ts';
import { assertNoTransaction } from '../history/undo-redo.ts';
import type { Pause } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { failures, newlyFailed, checkEvent, type Failures } from './compiles.ts';
import { duplicateTable } from './duplicate.ts';
import { numberSql } from './number-sql.ts';
import { eventOf, ownedObjects, type OwnedObject } from './owned-objects.ts';
import { rebuildTable } from './rebuild.ts';
import { changeObject, create, keepViewTriggers } from './recreate.ts';
import { planTable, type TablePlan } from './table-plan.ts';
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
    `SELECT m.tbl_name FROM main.sqlite_schema m, temp.pragma_index_list(m.tbl_name, 'main') l
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

// Foreign keys that lead nowhere, in the tables a change can affect, before and after it.

/** Most rows whose keys are compared one by one; beyond that, only their number. */
const MAX_KNOWN_ROWS = 100_000;

interface Found {
  readonly counts: ReadonlyMap<string, number>;
  readonly rows: ReadonlySet<string>;
  /** Why a key cannot be followed at all, by table. */
  readonly mismatches: ReadonlyMap<string, string>;
}

/** Tables with foreign keys to one of `tables`, and those of them that have any themselves. */
function tablesWithKeys(connection: Connection, tables: readonly string[]): readonly string[] {
  const wanted = new Set(tables.map((name) => name.toLowerCase()));
  const edges = connection.all(
    `SELECT m.name, f."table" FROM main.sqlite_schema m, temp.pragma_foreign_key_list(m.name, 'main') f WHERE m.type = 'table'`,
  ) as readonly (readonly [string, string])[];
  const found = edges.filter((edge) => edge.some((name) => wanted.has(name.toLowerCase())));
  return [...new Set(found.map(([name]) => name))];
}

function* findBrokenKeys(work: Work, tables: readonly string[]): Generator<Pause, Found> {
  const counts = new Map<string, number>();
  const rows = new Set<string>();
  const mismatches = new Map<string, string>();
  for (const table of tables) {
    work.tell(`Checking the foreign keys of ${table}`);
    try {
      const broken = work.connection.all(
        `SELECT parent, count(*) FROM temp.pragma_foreign_key_check(?, 'main') GROUP BY 1`,
        [table],
      ) as readonly (readonly [string, number])[];
      for (const [parent, count] of broken) {
        counts.set(`${table}\0${parent}`, count);
        if (rows.size + count > MAX_KNOWN_ROWS) continue;
        const ids = work.connection.all(`SELECT rowid FROM temp.pragma_foreign_key_check(?, 'main') WHERE parent = ?`, [
          table,
          parent,
        ]);
        // In a table without row ids all of them are NULL.
        ids.forEach(([id], at) => rows.add(`${table}\0${parent}\0${id === null ? `#${at}` : String(id)}`));
      }
    } catch (error) {
      const known = toAppError(error);
      if (known.code === 'stopped') throw error;
      mismatches.set(table, whatHappened(known));
    }
    yield* work.look();
  }
  return { counts, rows, mismatches };
}

/** Broken keys in `after` that were not in `before`. */
function newlyBroken(before: Found, after: Found): readonly BrokenKeys[] {
  const rowsOf = (found: Found, key: string): ReadonlySet<string> =>
    new Set([...found.rows].filter((row) => row.startsWith(`${key}\0`)));
  return Array.from(after.counts, ([key, count]) => {
    const [table, parent] = key.split('\0') as [string, string];
    const [known, was] = [rowsOf(after, key), rowsOf(before, key)];
    const isKnown = known.size === count && was.size === (before.counts.get(key) ?? 0);
    const added = isKnown ? [...known].filter((row) => !was.has(row)).length : count - (before.counts.get(key) ?? 0);
    return { table, parent, count: added };
  }).filter(({ count }) => count > 0);
}

function newMismatches(before: Found, after: Found): readonly (readonly [table: string, message: string])[] {
  return [...after.mismatches].filter(([table]) => !before.mismatches.has(table));
}

// Views and triggers that do not compile anyway step aside while ALTER TABLE runs: it compiles everything, and one that is broken stops it.

interface Aside extends SchemaName {
  readonly kind: 'view' | 'trigger';
  readonly sql: string;
}

/**
 * Drops them, to be called in the transaction of a change of tables. The function it returns creates them again: word for word but for the
 * name of the table that a trigger belongs to, and in their order among the triggers of that table.
 * @param nameAfter of a table, by the name that it has before the change
 */
function brokenAside(work: Work, broken: Failures, nameAfter: (table: string) => string): () => readonly SchemaName[] {
  const { connection } = work;
  const views = [...broken.values()].flatMap(({ kind, name }) => (kind === 'view' ? viewOf(connection, name) : []));
  const isGone = (table: string): boolean => views.some(({ kind, name }) => kind === 'view' && sameName(name, table));
  const triggers = brokenThemselves(connection, broken).filter(({ table }) => !isGone(table));
  const orders = [...new Set(triggers.map(({ table }) => table))].map((table) => ({
    table,
    names: triggersOf(connection, table).map(({ name }) => name),
  }));
  for (const { kind, name } of views) if (kind === 'view') work.run(dropSql(kind, name));
  for (const { name } of triggers) work.run(dropSql('trigger', name));
  return () => {
    for (const { sql } of views) work.run(sql);
    for (const { table, names } of orders) putBack(work, { from: table, to: nameAfter(table) }, names, triggers);
    return [...views, ...triggers].map(({ kind, name, table }) => ({ kind, name, table: nameAfter(table) }));
  };
}

/** The view and its triggers, which are dropped with it. */
function viewOf(connection: Connection, name: string): readonly Aside[] {
  const row = connection.one("SELECT sql FROM main.sqlite_schema WHERE type = 'view' AND name = ?", [name]);
  if (row === null) return [];
  return [{ kind: 'view', name, table: name, sql: row[0] as string }, ...triggersOf(connection, name)];
}

/**
 * Those that do not compile on their own. The others of the same event, and those that fire them, are only compiled together with them, and
 * ALTER has to write the new names in those.
 */
function brokenThemselves(connection: Connection, broken: Failures): readonly Trigger[] {
  const names = [...broken.values()].flatMap(({ kind, name }) => (kind === 'trigger' ? [name] : []));
  const tables = new Set([...broken.values()].flatMap(({ kind, table }) => (kind === 'trigger' ? [table] : [])));
  const failing = [...tables].flatMap((table) => ownedObjects(connection, table)).filter(isTrigger);
  const suspects = failing.filter(({ name }) => names.includes(name));
  if (suspects.length === 0) return [];
  connection.run('SAVEPOINT sidelite_broken');
  try {
    for (const { schema, name } of suspects) connection.run(`DROP TRIGGER ${schema}.${quoteName(name)}`);
    return suspects.filter((trigger) => trigger.schema === 'main' && failsAlone(connection, trigger));
  } finally {
    connection.run('ROLLBACK TO sidelite_broken');
    connection.run('RELEASE sidelite_broken');
  }
}

function failsAlone(connection: Connection, { name, table, sql }: Trigger): boolean {
  connection.run(sql);
  try {
    checkEvent(connection, table, eventOf(sql));
    return false;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'stopped') return true;
    throw error;
  } finally {
    connection.run(dropSql('trigger', name));
  }
}

/** Triggers created after them are recreated too: SQLite runs the triggers of one event in the reverse order of their creation. */
function putBack(
  work: Work,
  { from, to }: { readonly from: string; readonly to: string },
  names: readonly string[],
  aside: readonly Trigger[],
): void {
  const there = triggersOf(work.connection, to);
  const brokenOf = (wanted: string): Trigger | undefined => aside.find(({ name }) => name === wanted);
  for (const wanted of names.slice(names.findIndex(brokenOf))) {
    const broken = brokenOf(wanted);
    const intact = there.find(({ name }) => name === wanted);
    if (intact) work.run(dropSql('trigger', wanted));
    if (broken) work.run(sameName(from, to) ? broken.sql : (onTable(broken.sql, to) ?? broken.sql));
    else if (intact) work.run(intact.sql);
  }
}

type Trigger = OwnedObject & { readonly kind: 'trigger' };

const isTrigger = (object: OwnedObject): object is Trigger => object.kind === 'trigger';

function triggersOf(connection: Connection, table: string): readonly Trigger[] {
  return ownedObjects(connection, table)
    .filter(isTrigger)
    .filter(({ schema }) => schema === 'main');
}
