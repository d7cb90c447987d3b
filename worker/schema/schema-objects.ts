// The list of everything in a schema, with row estimates and with the reason why an object cannot be read.
import type { MissingPart } from '#shared/extensions.ts';
import { toErrorData, toAppError, type ErrorData } from '#shared/protocol/errors.ts';
import type { ObjectKind, SchemaObject } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';
import { isKnownTokenizer, listTables } from '../engines/table-list.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { fullTextOf, readTokenizer } from '#shared/ddl/full-text.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { analyzedRowsOf, countableRows, estimateRows, soughtRows, type RowEstimate } from './row-estimate.ts';

export function schemaVersion(connection: Connection): number {
  return Number(connection.one('PRAGMA main.schema_version')![0]);
}

/** @param estimates whether rows are counted or estimated, which reads some of each table, and small files as a whole */
export function* listObjects(turn: Turn, estimates = true): Generator<Pause, SchemaObject[]> {
  const { connection } = turn;
  const kinds = tableKinds(connection);
  const rows = connection.all(
    'SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name COLLATE NOCASE',
  ) as [ObjectKind, string, string, string | null][];
  const kindOf = (name: string, type: ObjectKind) => kinds.get(name) ?? { kind: type, withoutRowid: false };
  const tables = rows.filter(([type, name]) => kindOf(name, type).kind === 'table').map(([, name]) => name);
  const listed = estimates ? new ListedRows(connection, tables) : null;
  const objects: SchemaObject[] = [];
  for (const [type, name, tableName, sql] of rows) {
    const { kind, withoutRowid } = kindOf(name, type);
    const known = kind === 'table' && listed ? listed.next(name, withoutRowid) : null;
    objects.push({
      kind,
      name,
      tableName: kind === 'shadow' ? shadowOwner(name, kinds) : tableName,
      sql,
      rows: known,
      problem: null,
      ...((kind === 'view' || kind === 'virtual') && problemOf(connection, name, sql)),
    });
    if (performance.now() >= turn.deadlineMs) yield 'between';
  }
  return objects;
}

/** Tables and views with the names of their columns, which are unknown for broken views. */
type Kinds = ReadonlyMap<string, { readonly kind: ObjectKind; readonly withoutRowid: boolean }>;

export function tableKinds(connection: Connection): Kinds {
  return new Map(
    listTables(connection).map(({ name, kind, withoutRowid }) => {
      // SQLite's own tables (sqlite_sequence, sqlite_stat1) serve others just as shadow tables do.
      const own = kind === 'table' && name.startsWith('sqlite_');
      return [name, { kind: own ? 'shadow' : kind, withoutRowid }];
    }),
  );
}

function shadowOwner(name: string, kinds: Kinds): string {
  let owner = name;
  for (const [candidate, { kind }] of kinds) {
    const longer = owner === name || candidate.length > owner.length;
    if (kind === 'virtual' && longer && name.startsWith(`${candidate}_`)) owner = candidate;
  }
  return owner;
}

function problemOf(
  connection: Connection,
  name: string,
  sql: string | null,
): Pick<SchemaObject, 'problem' | 'corrected' | 'missing'> {
  try {
    connection.prepare(`SELECT * FROM main.${quoteName(name)} LIMIT 0`).finalize();
    // FTS5 looks for its tokenizer only when it searches or writes.
    if (sql !== null && hasOtherTokenizer(sql) && connection.isMetered !== true)
      connection.one(`SELECT 1 FROM main.${quoteName(name)} WHERE ${quoteName(name)} MATCH '""' LIMIT 1`);
    return { problem: null };
  } catch (error) {
    const { message, detail } = toErrorData(error);
    const corrected = detail?.['isQuoted'] === true && sql !== null ? withSingleQuotes(connection, sql) : null;
    const missing = missingPart(detail);
    return { problem: message, ...(corrected !== null && { corrected }), ...(missing !== null && { missing }) };
  }
}

/** FTS5 does not have it, and an extension for Chinese calls its own one so. */
const OF_FTS3 = 'simple';

/** The statement makes an FTS5 table whose tokenizer SQLite does not have by itself. */
function hasOtherTokenizer(sql: string): boolean {
  if (!/tokenize/i.test(sql)) return false;
  const model = parseObject(sql);
  const options = model.understood && model.kind === 'virtual' ? fullTextOf(model)?.options : undefined;
  if (options === undefined) return false;
  const { name } = readTokenizer(options['tokenize']);
  return !isKnownTokenizer(name) || name === OF_FTS3;
}

const PARTS: Readonly<Record<string, MissingPart['kind']>> = {
  module: 'module',
  tokenizer: 'tokenizer',
  function: 'function',
  'collation sequence': 'collation',
};

function missingPart(detail: ErrorData['detail']): MissingPart | null {
  const { missing, name } = detail ?? {};
  const kind = typeof missing === 'string' && Object.hasOwn(PARTS, missing) ? PARTS[missing] : undefined;
  return kind === undefined || typeof name !== 'string' ? null : { kind, name };
}

/** Texts in double quotes, each found by preparing the query once more. */
const MAX_TEXTS = 100;

/**
 * The text of a view with texts in single quotes instead of double ones, for an engine that takes the latter for names. Changes only what is no
 * name in the view's query; null if it cannot be compiled that way either.
 */
function withSingleQuotes(connection: Connection, sql: string): string | null {
  let text = sql;
  for (let found = 0; found <= MAX_TEXTS; found++) {
    const model = parseObject(text);
    if (!model.understood || model.kind !== 'view') return null;
    try {
      connection.prepare(model.query.sql).finalize();
      return text;
    } catch (error) {
      const { isQuoted, name } = toAppError(error).detail ?? {};
      if (isQuoted !== true || typeof name !== 'string') return null;
      const { from } = model.query.span;
      const next = text.slice(0, from) + quotedSingly(text.slice(from), name);
      if (next === text) return null;
      text = next;
    }
  }
  return null;
}

function quotedSingly(sql: string, name: string): string {
  let [written, done] = ['', 0];
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    if (scanner.kind !== Token.quoted || sql[scanner.from] !== '"' || scanner.name !== name) continue;
    written += `${sql.slice(done, scanner.from)}'${name.replaceAll("'", "''")}'`;
    done = scanner.to;
  }
  return written + sql.slice(done);
}

/** So many tables are counted, as far as {@link estimateRows} may. */
const COUNTED_TABLES = 100;
/** The next ones take two seeks each, and those past this are listed without an estimate. */
const ESTIMATED_TABLES = 1000;

/**
 * How many rows the tables of a list have. The list must not wait, but says the same on every machine, because the largest table is opened
 * by itself: what it costs is limited by numbers of tables and rows, not by time.
 */
export class ListedRows {
  readonly #connection: Connection;
  readonly #tables: readonly string[];
  #taken = 0;
  #mayCount: number;
  #analyzed: ReadonlyMap<string, number | null> | null = null;

  /** @param tables in the order of the list */
  constructor(connection: Connection, tables: readonly string[]) {
    this.#connection = connection;
    this.#tables = tables;
    this.#mayCount = countableRows(connection);
  }

  /** Estimates the rows of the next table. One that is damaged must not take the list down with it. */
  next(table: string, withoutRowid: boolean): RowEstimate | null {
    const at = this.#taken++;
    if (at >= ESTIMATED_TABLES) return null;
    try {
      const rowidName = withoutRowid ? null : freeRowidAlias(this.#connection, table);
      return at < COUNTED_TABLES ? this.#counted(table, rowidName) : this.#sought(table, rowidName);
    } catch {
      return null;
    }
  }

  #counted(table: string, rowidName: string | null): RowEstimate | null {
    const known = estimateRows(this.#connection, table, rowidName, this.#mayCount);
    if (known?.estimated === false) this.#mayCount -= known.count;
    return known;
  }

  #sought(table: string, rowidName: string | null): RowEstimate | null {
    const names = this.#tables.slice(COUNTED_TABLES, ESTIMATED_TABLES);
    this.#analyzed ??= new Map(analyzedRowsOf(this.#connection, names).map((rows, at) => [names[at]!, rows]));
    return soughtRows(this.#connection, table, rowidName, this.#analyzed.get(table) ?? null);
  }
}

function freeRowidAlias(connection: Connection, name: string): string | null {
  const taken = connection
    .all("SELECT lower(name) FROM temp.pragma_table_info(?) WHERE lower(name) IN ('rowid', '_rowid_', 'oid')", [name])
    .flat();
  return ['rowid', '_rowid_', 'oid'].find((alias) => !taken.includes(alias)) ?? null;
}

const WORDS = /GENERATED ALWAYS$/i;

/** The declared type of a generated column: older versions of SQLite report these words as part of it. */
export const withoutGenerated = (type: string): string =>
  WORDS.test(type) ? type.slice(0, -'GENERATED ALWAYS'.length).trimEnd() : type;
