// Creates objects from their statements, and changes those that ALTER cannot change: the old one is dropped, and the new one created.
import { dropSql } from '#shared/ddl/change-sql.ts';
import { sameName } from '#shared/ddl/names.ts';
import { AppError, fail, inParts } from '#shared/protocol/errors.ts';
import type { SchemaChange, SchemaName } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { leadingWords } from '#shared/split-statements.ts';
import { ownedObjects, type OwnedObject } from './owned-objects.ts';
import type { Work } from './work.ts';

type ObjectChange = Extract<SchemaChange, { kind: 'change-object' }>;

/** @throws AppError `invalid` for another statement, and where nothing was created: IF NOT EXISTS, TEMP */
export function create(work: Work, sql: string): void {
  assertCreates(sql);
  const before = countObjects(work.connection);
  work.run(sql);
  if (countObjects(work.connection) <= before)
    throw invalid('The statement creates nothing in this database, because the object already exists or is temporary.');
}

/** Returns what else was created again. @throws AppError `not-found`, `invalid` where `sql` creates something else */
export function changeObject(work: Work, change: ObjectChange): readonly SchemaName[] {
  const { connection } = work;
  const { object, name, sql } = change;
  assertCreates(sql);
  if (!isThere(connection, name, object))
    fail('not-found', `The ${object} “${name}” does not exist. Nothing was changed.`);
  const before = countObjects(connection, object);
  const later = madeAfter(connection, change);
  for (const statement of recreationSql(connection, change)) work.run(statement);
  if (countObjects(connection, object) === before)
    return later.map(({ kind, name: restored, table }) => ({ kind, name: restored, table }));
  throw invalid(
    `The new definition does not create ${object === 'index' ? 'an index' : `a ${object}`} of this database.`,
  );
}

/** The statements that change an object: DROP, CREATE, and the same for the triggers whose order would change. */
export function recreationSql(connection: Connection, change: ObjectChange): readonly string[] {
  const again = madeAfter(connection, change).flatMap(({ name, sql }) => [dropSql('trigger', name), sql]);
  return [dropSql(change.object, change.name), change.sql, ...again];
}

/** SQLite runs the triggers of one event in the reverse order of their creation: a recreated one would become the first. */
function madeAfter(connection: Connection, { object, name }: ObjectChange): readonly OwnedObject[] {
  if (object !== 'trigger') return [];
  const row = connection.one(
    "SELECT tbl_name FROM main.sqlite_schema WHERE type = 'trigger' AND name = ? COLLATE NOCASE",
    [name],
  );
  const all = row === null ? [] : ownedObjects(connection, row[0] as string);
  const triggers = all.filter(({ kind, schema }) => kind === 'trigger' && schema === 'main');
  return triggers.slice(triggers.findIndex((trigger) => sameName(trigger.name, name)) + 1);
}

/** Anything else might end the transaction, and then nothing could be undone. */
function assertCreates(sql: string): void {
  if (leadingWords(sql, 0, 1)[0] !== 'CREATE') throw invalid('This is not a CREATE statement.');
}

/** Triggers are dropped along with their view. If it is created again, possibly under another name, so are they. */
export function keepViewTriggers(work: Work, changes: readonly SchemaChange[]): () => readonly SchemaName[] {
  const { connection } = work;
  const triggers = changes.flatMap(viewDroppedBy).flatMap((view) => ownedObjects(connection, view));
  const isDropped = (trigger: string): boolean =>
    changes.some((change) => change.kind === 'drop' && change.name.toLowerCase() === trigger.toLowerCase());
  return () => {
    const again = triggers.filter(
      ({ name, table }) => isThere(connection, table) && !isThere(connection, name) && !isDropped(name),
    );
    for (const { sql } of again) work.run(sql);
    return again.map(({ kind, name, table }) => ({ kind, name, table }));
  };
}

function viewDroppedBy(change: SchemaChange): readonly string[] {
  return (change.kind === 'drop' || change.kind === 'change-object') && change.object === 'view' ? [change.name] : [];
}

function isThere(connection: Connection, name: string, kind: string | null = null): boolean {
  const sql = 'SELECT 1 FROM main.sqlite_schema WHERE name = ?1 COLLATE NOCASE AND (?2 IS NULL OR type = ?2)';
  return connection.one(sql, [name, kind]) !== null;
}

function countObjects(connection: Connection, kind: string | null = null): number {
  return Number(connection.one('SELECT count(*) FROM main.sqlite_schema WHERE ?1 IS NULL OR type = ?1', [kind])![0]);
}

function invalid(what: string): AppError {
  return AppError.invalid(inParts(what, 'Nothing was changed.'));
}
