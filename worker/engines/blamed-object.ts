// Which object of the schema an error is about, where SQLite names only what that object needs, or nothing at all.
import { foldName } from '#shared/ddl/names.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { unquote } from '#shared/sql-scanner.ts';
import { namesIn } from '../sql/source-names.ts';
import type { Connection } from './engine.ts';
import { findTable, isKnownCollation, isKnownTokenizer } from './table-list.ts';

/** Larger schemas are not looked through: an error must not take long. */
const MAX_OBJECTS = 2000;
/** SQLITE_ERROR_MISSING_COLLSEQ */
const MISSING_COLLATION = 257;

interface SchemaObject {
  readonly kind: 'table' | 'index' | 'view' | 'trigger';
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}

/**
 * Adds to the error of a statement which object of the schema is at fault, unless the statement names what is missing itself. Returns any
 * other error unchanged.
 */
export function blameObject(connection: Pick<Connection, 'all'>, thrown: unknown, sql: string): unknown {
  if (!(thrown instanceof AppError) || thrown.code !== 'sql' || thrown.detail?.['blamed'] !== undefined) return thrown;
  const { name, unexplained, isSyntax } = thrown.detail ?? {};
  if (unexplained === true) return blamed(thrown, unexplainedReason(connection, sql));
  if (typeof name !== 'string' || isSyntax === true) return thrown;
  const wanted = foldName(name);
  if (namesIn(sql).has(wanted)) return thrown;
  const objects = objectsOf(connection);
  const needing = objects.filter((object) => namesIn(object.sql).has(wanted));
  const names = namesThroughViews(sql, objects);
  const isNear = ({ kind, name: own, table }: SchemaObject): boolean =>
    names.has(foldName(own)) || (kind !== 'view' && names.has(foldName(table)));
  const object = needing.find(isNear) ?? (needing.length === 1 ? needing[0] : undefined);
  if (object === undefined) return thrown;
  if (thrown.detail?.['isQuoted'] === true) return blamed(thrown, quotedReason(object, name), object);
  const index = thrown.sqlite?.extended === MISSING_COLLATION ? indexInTheWay(connection, object, name, sql) : null;
  const needs = index === null ? whoNeedsIt(object) : `The index “${index}” of “${object.table}” needs it.`;
  return blamed(thrown, `${thrown.message} ${needs}`, object);
}

const quotedReason = ({ kind, name }: SchemaObject, text: string): string =>
  `The ${kind} “${name}” has "${text}" in double quotes. Here that is the name of a column, and there is none. If it is meant as a text, the ${kind} needs it in single quotes.`;

/** The index that a write to the table would have to keep in order; null if `sql` only reads. */
function indexInTheWay(
  connection: Pick<Connection, 'all'>,
  { kind, name }: SchemaObject,
  collation: string,
  sql: string,
): string | null {
  if (kind !== 'table' || !/^\s*(?:with|insert|replace|update|delete)\b/i.test(sql)) return null;
  const rows = connection.all(
    'SELECT i.name FROM temp.pragma_index_list(?) i JOIN temp.pragma_index_xinfo(i.name) x WHERE x.coll = ? COLLATE NOCASE LIMIT 1',
    [name, collation],
  );
  return rows.length === 0 ? null : String(rows[0]![0]);
}

/** Names in a statement, and in the views that it reads. */
function namesThroughViews(sql: string, objects: readonly SchemaObject[]): ReadonlySet<string> {
  const names = new Set(namesIn(sql));
  const views = new Map(objects.filter(({ kind }) => kind === 'view').map((view) => [foldName(view.name), view.sql]));
  // A set is walked to its end while it grows.
  for (const name of names) for (const further of namesIn(views.get(name) ?? '')) names.add(further);
  return names;
}

function blamed(error: AppError, message: string | null, object?: SchemaObject): AppError {
  if (message === null) return error;
  const { code, sqlite, detail } = error;
  return new AppError({ code, message, ...(sqlite && { sqlite }), detail: { ...detail, blamed: object?.name ?? '' } });
}

function whoNeedsIt({ kind, name, table }: SchemaObject): string {
  const of = kind === 'index' || kind === 'trigger' ? ` of “${table}”` : '';
  // The index of a UNIQUE constraint has no text, so its table is named.
  return `The ${kind} “${name}”${of} needs it.`;
}

/** Triggers first: their texts fail in statements that do not mention them. */
function objectsOf(connection: Pick<Connection, 'all'>): readonly SchemaObject[] {
  try {
    const rows = connection.all(
      `SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL
       ORDER BY type = 'table', type = 'index', type = 'view' LIMIT ${MAX_OBJECTS + 1}`,
    ) as [SchemaObject['kind'], string, string, string][];
    if (rows.length > MAX_OBJECTS) return [];
    return rows.map(([kind, name, table, sql]) => ({
      kind,
      name: String(name),
      table: String(table),
      sql: String(sql),
    }));
  } catch {
    return []; // The schema cannot be read: the error itself is what counts.
  }
}

function unexplainedReason(connection: Pick<Connection, 'all'>, sql: string): string | null {
  const names = namesIn(sql);
  const tables = objectsOf(connection).filter(({ kind, name }) => kind === 'table' && names.has(foldName(name)));
  return tables.map((table) => tokenizerReason(table) ?? orderReason(connection, table)).find(Boolean) ?? null;
}

function tokenizerReason({ name, sql }: SchemaObject): string | null {
  const tokenizer = tokenizerOf(sql);
  if (tokenizer === null || isKnownTokenizer(tokenizer)) return null;
  return `“${name}” splits its text with the tokenizer “${tokenizer}”, which SQLite does not have here. Its text cannot be searched or changed.`;
}

/** The tokenizer that a full-text table names, after those that only wrap it; null if it names none. */
export function tokenizerOf(sql: string): string | null {
  const model = parseObject(sql);
  if (!model.understood || model.kind !== 'virtual' || !/^fts[345]$/i.test(model.module.name)) return null;
  for (const { part } of model.arguments) {
    const [, option] = /^\s*tokenize(?:\s*=\s*|\s+)([^]*)$/i.exec(part.sql) ?? [];
    if (option === undefined) continue;
    const words = plain(option.trim()).split(/\s+/).map(plain);
    const named = /^porter$/i.test(words[0]!) && /^fts5$/i.test(model.module.name) ? words[1] : words[0];
    return named ?? null;
  }
  return null;
}

const plain = (text: string): string => (/^['"`[]/.test(text) ? unquote(text) : text);

/** Rows of a table without row ids are in the order of its key. */
function orderReason(connection: Pick<Connection, 'all'>, { name }: SchemaObject): string | null {
  if (findTable(connection, name)?.withoutRowid !== true) return null;
  const collations = connection.all(
    "SELECT x.coll FROM temp.pragma_index_list(?, 'main') i JOIN temp.pragma_index_xinfo(i.name, 'main') x WHERE i.origin = 'pk' AND x.key = 1",
    [name],
  );
  const unknown = collations.map(([collation]) => String(collation)).find((collation) => !isKnownCollation(collation));
  if (unknown === undefined) return null;
  return `The rows of “${name}” are in the order of the collation “${unknown}”, which SQLite does not have here, so they cannot be read.`;
}
