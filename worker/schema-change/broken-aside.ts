// Views and triggers that do not compile anyway step aside while ALTER TABLE runs: it compiles everything, and one that is broken stops it.
import { dropSql, onTable } from '#shared/ddl/change-sql.ts';
import { sameName } from '#shared/ddl/names.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { SchemaName } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { checkEvent } from './compiles.ts';
import type { Failures } from './compiles.ts';
import { eventOf, ownedObjects } from './owned-objects.ts';
import type { OwnedObject } from './owned-objects.ts';
import type { Work } from './work.ts';

interface Aside extends SchemaName {
  readonly kind: 'view' | 'trigger';
  readonly sql: string;
}

/**
 * Drops them, to be called in the transaction of a change of tables. The function it returns creates them again: word for word but for the
 * name of the table that a trigger belongs to, and in their order among the triggers of that table.
 * @param nameAfter of a table, by the name that it has before the change
 */
export function brokenAside(
  work: Work,
  broken: Failures,
  nameAfter: (table: string) => string,
): () => readonly SchemaName[] {
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
