// What tables and views a database has, read from the texts of its schema. `PRAGMA table_list` says the same, but prepares each view for its
// number of columns, whatever that takes (heavy-schema.ts).
import { foldName } from '#shared/ddl/names.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import type { Connection } from './engine.ts';

export interface ListedTable {
  readonly name: string;
  /** Shadow tables are those in which virtual tables keep their data. */
  readonly kind: 'table' | 'view' | 'virtual' | 'shadow';
  readonly withoutRowid: boolean;
  readonly strict: boolean;
}

type Reader = Pick<Connection, 'all'>;
type Row = readonly [name: string, type: string, isVirtual: number, sql: string | null];

/** Texts of tables are needed only for their options, and for the module of a virtual table. */
const TABLES = `SELECT name, type, type = 'table' AND rootpage = 0,
    CASE WHEN type = 'table' AND (rootpage = 0 OR sql LIKE '%strict%' OR sql LIKE '%without%') THEN sql END
  FROM main.sqlite_schema WHERE type IN ('table', 'view')`;

/** As `xShadowName` of each module says (sqlite.org/vtab.html#the_xshadowname_method). */
const FTS3 = ['content', 'docsize', 'segdir', 'segments', 'stat'];
const RTREE = ['node', 'parent', 'rowid'];
const SHADOWS: ReadonlyMap<string, readonly string[]> = new Map([
  ['fts3', FTS3],
  ['fts4', FTS3],
  ['fts5', ['config', 'content', 'data', 'docsize', 'idx']],
  ['rtree', RTREE],
  ['rtree_i32', RTREE],
  ['geopoly', RTREE],
]);

const SUFFIXES: ReadonlySet<string> = new Set([...SHADOWS.values()].flat());

const SCHEMA_TABLE: ListedTable = { name: 'sqlite_schema', kind: 'table', withoutRowid: false, strict: false };

/** All of `main`, in the order of the schema, which comes last itself. */
export function listTables(connection: Reader): readonly ListedTable[] {
  return [...listed(connection, connection.all(`${TABLES} ORDER BY rowid`) as unknown as readonly Row[]), SCHEMA_TABLE];
}

/** Finds a table or view of `main` regardless of case. */
export function findTable(connection: Reader, name: string): ListedTable | null {
  const key = foldName(name);
  if (key === 'sqlite_schema' || key === 'sqlite_master') return SCHEMA_TABLE;
  const own = rowOf(connection, key);
  if (own === null) return null;
  // A shadow table is told by its virtual table.
  const [, owner, suffix] = /^(.*)_([a-z]+)$/s.exec(key) ?? [];
  const virtual = SUFFIXES.has(suffix ?? '') ? rowOf(connection, owner!) : null;
  return listed(connection, virtual === null ? [own] : [own, virtual])[0]!;
}

/** From the end, where the tables are that were made last: a script fills each table after making it, and there may be thousands. */
function rowOf(connection: Reader, name: string): Row | null {
  const rows = connection.all(`${TABLES} AND name = ? COLLATE NOCASE ORDER BY rowid DESC LIMIT 1`, [name]);
  return (rows as unknown as readonly Row[])[0] ?? null;
}

/** Names of the shadow tables of `main`. */
export function shadowNames(connection: Reader): readonly string[] {
  return listTables(connection).flatMap(({ kind, name }) => (kind === 'shadow' ? [name] : []));
}

function listed(connection: Reader, rows: readonly Row[]): ListedTable[] {
  const shadows = shadowsOf(connection, rows);
  return rows.map(([name, type, isVirtual, sql]) => {
    if (type === 'view') return { name, kind: 'view', withoutRowid: false, strict: false };
    if (isVirtual === 1) return { name, kind: 'virtual', withoutRowid: false, strict: false };
    const options = sql === null ? [] : wordsBehind(sql);
    return {
      name,
      kind: shadows.has(foldName(name)) ? 'shadow' : 'table',
      withoutRowid: options.includes('WITHOUT'),
      strict: options.includes('STRICT'),
    };
  });
}

/** Folded names that shadow tables have if they exist. A module that is missing here has none. */
function shadowsOf(connection: Reader, rows: readonly Row[]): ReadonlySet<string> {
  const names = new Set<string>();
  let modules: ReadonlySet<string> | null = null;
  for (const [name, , isVirtual, sql] of rows) {
    if (isVirtual !== 1) continue;
    const model = parseObject(sql ?? '');
    const module = model.understood && model.kind === 'virtual' ? foldName(model.module.name) : '';
    const suffixes = SHADOWS.get(module);
    if (suffixes === undefined) continue;
    modules ??= new Set(connection.all('SELECT lower(name) FROM temp.pragma_module_list').map(([one]) => String(one)));
    if (modules.has(module)) for (const suffix of suffixes) names.add(`${foldName(name)}_${suffix}`);
  }
  return names;
}

/** The words behind the last parenthesis, in capitals: the options of the table. */
function wordsBehind(sql: string): readonly string[] {
  const scanner = new SqlScanner(sql);
  let words: string[] = [];
  while (scanner.next() !== Token.end) {
    if (scanner.kind === Token.word) words.push(scanner.text.toUpperCase());
    else if (scanner.kind === Token.other && scanner.text === ')') words = [];
  }
  return words;
}

// Collations and tokenizers that every SQLite has. Sidelite adds none, because other programs could not read what depends on them.

/** `PRAGMA collation_list` also lists collations that the schema only mentions. */
const COLLATIONS = new Set(['binary', 'nocase', 'rtrim']);
/** Tokenizers of FTS3, FTS4, and FTS5 (sqlite.org/fts3.html#tokenizer, sqlite.org/fts5.html#tokenizers). */
const TOKENIZERS = new Set(['simple', 'porter', 'unicode61', 'ascii', 'trigram']);

export const isKnownCollation = (name: string): boolean => COLLATIONS.has(foldName(name));
export const isKnownTokenizer = (name: string): boolean => TOKENIZERS.has(foldName(name));
