// The list of everything in a schema, with row estimates and with the reason why an object cannot be read.
import { toErrorData, toAppError } from '#shared/protocol/errors.ts';
import type { ObjectKind, SchemaObject } from '#shared/protocol/schema.ts';
import type { Connection } from '../engines/engine.ts';
import { listTables } from '../engines/table-list.ts';
import type { Pause, Turn } from '../sessions/session.ts';
import { quoteName } from '../sql/quote.ts';
import { ListedRows } from './listed-rows.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';

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
): Pick<SchemaObject, 'problem' | 'corrected'> {
  try {
    connection.prepare(`SELECT * FROM main.${quoteName(name)} LIMIT 0`).finalize();
    return { problem: null };
  } catch (error) {
    const { message, detail } = toErrorData(error);
    const corrected = detail?.['isQuoted'] === true && sql !== null ? withSingleQuotes(connection, sql) : null;
    return { problem: message, ...(corrected !== null && { corrected }) };
  }
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
