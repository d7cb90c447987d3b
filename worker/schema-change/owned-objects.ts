// Indexes and triggers that are dropped with a table, and the statements that recreate them.
import type { SchemaName } from '#shared/protocol/schema-change.ts';
import type { Connection } from '../engines/engine.ts';
import { leadingWords } from '#shared/split-statements.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

export interface OwnedObject extends SchemaName {
  readonly kind: 'index' | 'trigger';
  readonly schema: 'main' | 'temp';
  /** As SQLite stores it: it begins with CREATE, whatever the user wrote before the name (sqlite.org/schematab.html). */
  readonly sql: string;
}

/** Pattern of names of triggers by which the native engine sees changes. */
const OWN_TRIGGER = /^sidelite_[0-9a-f]{8}_(?:insert|update|delete)_/;

/** Indexes and triggers of a table or view of `main`, in the order in which they were created. */
export function ownedObjects(connection: Connection, table: string): readonly OwnedObject[] {
  const of = (schema: string): readonly (readonly [string, string, string, string])[] =>
    connection.all(
      `SELECT type, name, tbl_name, sql FROM ${schema}.sqlite_schema
       WHERE tbl_name = ? COLLATE NOCASE AND type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY rowid`,
      [table],
    ) as readonly (readonly [string, string, string, string])[];
  const read =
    (schema: OwnedObject['schema']) =>
    ([kind, name, owner, sql]: readonly [string, string, string, string]): OwnedObject => ({
      kind: kind as OwnedObject['kind'],
      schema,
      name,
      table: owner,
      sql,
    });
  const temporary = of('temp').filter(([, name]) => !OWN_TRIGGER.test(name));
  return [
    ...of('main').map(read('main')),
    ...temporary.map(read('temp')).map((object) => ({ ...object, sql: asTemporary(object.sql) })),
  ];
}

/** SQLite omits the word TEMP from what it stores. A name with its schema must do without. */
const asTemporary = (sql: string): string =>
  leadingWords(sql, 0, 4)[3] === '.' ? sql : sql.replace(/^CREATE TRIGGER/, 'CREATE TEMP TRIGGER');

/** The statements that fire it. Null where its text does not begin as SQLite writes it. */
export function eventOf(triggerSql: string): 'INSERT' | 'UPDATE' | 'DELETE' | null {
  const words = leadingWords(triggerSql, 0, 12);
  // CREATE TRIGGER name, or schema.name
  let at = words[3] === '.' ? 5 : 3;
  if (words[at] === 'BEFORE' || words[at] === 'AFTER') at++;
  else if (words[at] === 'INSTEAD') at += 2;
  const event = words[at];
  return event === 'INSERT' || event === 'UPDATE' || event === 'DELETE' ? event : null;
}

/** `AUTOINCREMENT` is never a name, so the word itself says it. */
export function isAutoincrement(createTable: string): boolean {
  const scanner = new SqlScanner(createTable, 0);
  while (scanner.next() !== Token.end)
    if (scanner.kind === Token.word && scanner.text.toUpperCase() === 'AUTOINCREMENT') return true;
  return false;
}
