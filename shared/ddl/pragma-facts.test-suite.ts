// Reads the facts SQLite reports about a table, and the same facts from the model of its text, for tests.
import type { Database } from 'better-sqlite3';
import { SqlScanner, Token, unquote } from '../sql-scanner.ts';
import { foldName, sameName } from './names.ts';
import type {
  ColumnModel,
  ForeignKeyConstraint,
  IndexedColumn,
  TableModel,
  PrimaryKeyConstraint,
  UniqueConstraint,
} from './table-model.ts';

export interface TableFacts {
  readonly strict: boolean;
  readonly withoutRowid: boolean;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly notNull: boolean;
    readonly defaultSql: string | null;
    readonly generated: 'no' | 'virtual' | 'stored';
    readonly key: number;
  }[];
  /** Each key of UNIQUE constraints: its columns with collation and order, sorted. */
  readonly unique: readonly string[];
  readonly foreignKeys: readonly string[];
}

/** SQLite adds the words before AS to the type of a generated column, and what stands between them. */
function withoutGenerated(type: string): string {
  const scanner = new SqlScanner(type);
  const words: { readonly text: string; readonly to: number }[] = [];
  while (scanner.next() !== Token.end) words.push({ text: scanner.text.toLowerCase(), to: scanner.to });
  if (words.at(-1)?.text === 'always' && words.at(-2)?.text === 'generated') words.length -= 2;
  return type.slice(0, words.at(-1)?.to ?? 0);
}

type Row = Record<string, string | number | null>;

export function pragmasOf(db: Database, table: string): TableFacts {
  const all = (sql: string, name: string): Row[] => db.prepare(sql).all(name) as Row[];
  const [list] = all("SELECT * FROM pragma_table_list WHERE name = ? AND schema = 'main'", table);
  const columns = all('SELECT * FROM pragma_table_xinfo(?) ORDER BY cid', table).map((row) => ({
    name: String(row['name']),
    type: plainType(Number(row['hidden']) > 1 ? withoutGenerated(String(row['type'])) : String(row['type'])),
    notNull: row['notnull'] === 1,
    defaultSql: row['dflt_value'] as string | null,
    generated: row['hidden'] === 2 ? ('virtual' as const) : row['hidden'] === 3 ? ('stored' as const) : ('no' as const),
    key: Number(row['pk']),
  }));
  const indexes = all("SELECT * FROM pragma_index_list(?) WHERE origin IN ('u', 'pk') ORDER BY seq DESC", table);
  const described = indexes.map(({ name, origin }) => ({
    isKey: origin === 'pk',
    columns: all('SELECT * FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno', String(name)).map((row) => ({
      column: `${foldName(String(row['name']))} ${String(row['coll']).toLowerCase()}`,
      order: row['desc'] === 1 ? 'DESC' : 'ASC',
    })),
  }));
  const keys = new Map<number, string>();
  for (const row of all('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq', table)) {
    const id = Number(row['id']);
    const before = keys.get(id) ?? `${row['table']} ${row['on_update']} ${row['on_delete']}:`;
    keys.set(id, `${before} ${foldName(String(row['from']))}→${row['to'] ?? ''}`);
  }
  return {
    strict: list!['strict'] === 1,
    withoutRowid: list!['wr'] === 1,
    columns,
    unique: uniqueKeys(described),
    foreignKeys: [...keys.values()].sort(),
  };
}

export function modelAsPragmas(model: TableModel): TableFacts {
  const own = model.columns.flatMap(({ constraints }) => constraints);
  const constraints = [...own, ...model.constraints.map(({ constraint }) => constraint)];
  const key = constraints.find((constraint) => constraint.kind === 'primary-key')?.columns ?? [];
  const keyNames = distinct(key.map(({ column }) => foldName(column!.name)));
  const columns = model.columns.map((column) => factsOf(column, keyNames, model));
  // SQLite takes a lone INTEGER key for the row id before it looks for WITHOUT ROWID, and forgets its collation.
  const isInteger = isRowid(model, keyNames);
  const hasIndex = model.withoutRowid || !isInteger;
  const uniques = constraints.filter(
    (constraint): constraint is UniqueConstraint | PrimaryKeyConstraint =>
      constraint.kind === 'unique' || (constraint.kind === 'primary-key' && hasIndex),
  );
  const foreign = constraints.filter((constraint) => constraint.kind === 'foreign-key');
  return {
    strict: model.strict,
    withoutRowid: model.withoutRowid,
    columns,
    unique: uniqueKeys(
      uniques.map((constraint) => uniqueFacts(constraint, model, isInteger && constraint.kind === 'primary-key')),
    ),
    foreignKeys: foreign.map(foreignKeyFacts).sort(),
  };
}

function factsOf(
  { name, type, constraints }: ColumnModel,
  keyNames: readonly string[],
  model: TableModel,
): TableFacts['columns'][number] {
  const defaults = constraints.filter((constraint) => constraint.kind === 'default');
  const generated = constraints.find((constraint) => constraint.kind === 'generated')?.storage ?? 'no';
  const key = keyNames.indexOf(foldName(name.name)) + 1;
  return {
    name: name.name,
    type: plainType(type?.sql ?? ''),
    // A primary key of a STRICT table or one without row ids is NOT NULL by itself, unless it is the row id.
    notNull:
      constraints.some(({ kind }) => kind === 'not-null') ||
      (key > 0 && (model.withoutRowid || (model.strict && !isRowid(model, keyNames)))),
    defaultSql: defaultFact(defaults.at(-1)?.value.sql ?? null),
    generated,
    key,
  };
}

function isRowid({ columns }: TableModel, keyNames: readonly string[]): boolean {
  const column = columns.find(({ name }) => foldName(name.name) === keyNames[0]);
  const own = column?.constraints.find((constraint) => constraint.kind === 'primary-key');
  return keyNames.length === 1 && column?.type?.sql.toUpperCase() === 'INTEGER' && own?.columns[0]!.order !== 'DESC';
}

/** SQLite tells standard types in capitals, of one that begins with a name in quotes only that name, and an expression without its parentheses. */
function plainType(type: string): string {
  const scanner = new SqlScanner(type);
  const isQuoted = [Token.quoted, Token.text].includes(scanner.next() as never);
  return (isQuoted ? unquote(scanner.text) : type).toUpperCase();
}

function defaultFact(sql: string | null): string | null {
  return sql?.startsWith('(') ? sql.slice(1, -1).trim() : sql;
}

interface UniqueIndex {
  readonly isKey: boolean;
  readonly columns: readonly { readonly column: string; readonly order: string }[];
}

/** SQLite makes one index for constraints over the same columns, and none for a primary key that is the row id. */
function uniqueKeys(indexes: readonly UniqueIndex[]): string[] {
  const found = new Map<string, string>();
  for (const { columns } of indexes) {
    const key = columns.map(({ column }) => column).join(', ');
    if (!found.has(key)) found.set(key, columns.map(({ column, order }) => `${column} ${order}`).join(', '));
  }
  for (const { isKey, columns } of indexes) if (isKey) found.delete(columns.map(({ column }) => column).join(', '));
  return [...found.values()].sort();
}

function uniqueFacts(
  constraint: UniqueConstraint | PrimaryKeyConstraint,
  model: TableModel,
  isPlain: boolean,
): UniqueIndex {
  return {
    isKey: constraint.kind === 'primary-key',
    columns: constraint.columns.map((column) => ({
      column: `${foldName(column.column!.name)} ${collationOf(isPlain ? { ...column, collation: null } : column, model)}`,
      order: (isPlain ? null : column.order) ?? 'ASC',
    })),
  };
}

function collationOf({ column, collation }: IndexedColumn, { columns }: TableModel): string {
  const own = columns
    .find(({ name }) => sameName(name.name, column!.name))
    ?.constraints.filter(({ kind }) => kind === 'collate')
    .at(-1);
  return (collation?.name ?? (own?.kind === 'collate' ? own.collation.name : 'BINARY')).toLowerCase();
}

function foreignKeyFacts({ columns, table, referencedColumns, onUpdate, onDelete }: ForeignKeyConstraint): string {
  const pairs = columns.map(({ name }, index) => `${foldName(name)}→${referencedColumns[index]?.name ?? ''}`);
  return [`${table.name} ${onUpdate ?? 'NO ACTION'} ${onDelete ?? 'NO ACTION'}:`, ...pairs].join(' ');
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
