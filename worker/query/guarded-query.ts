// One statement that reads, for a client that is trusted with less than a person: in one read transaction, with limits. Where rules hide
// something, the statement never sees the schema of the file.
//
// Each visible table that the text names is a TEMP view of its visible columns for as long as the transaction, and SQLite looks for names in
// `temp` first. Before that, the text is prepared in an empty database with the same views: there, what is hidden does not exist, so a text
// that names something hidden, `main`, or the schema fails with SQLite's own words for a name that it does not know. What compiles there
// has only names of these views. The program that SQLite makes of the statement is looked at, too: it may open no other table.
import { foldName } from '#shared/ddl/names.ts';
import { AppError, fail } from '#shared/protocol/errors.ts';
import type { GuardedRows, GuardedValue, GuardRules } from '#shared/protocol/guarded.ts';
import { isRawText, type Value } from '#shared/protocol/values.ts';
import { leadingKeyword, splitStatements } from '#shared/split-statements.ts';
import type { Connection, Statement } from '../engines/engine.ts';
import { quoteName, quoteNames } from '../sql/quote.ts';
import { namesIn } from '../sql/source-names.ts';
import { HARMLESS_MODULES, revealingName, visibleSchema } from './visible-schema.ts';
import type { VisibleSchema, VisibleTable } from './visible-schema.ts';

const READS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES']);
/** Bytes of a value, unless a row has so many columns that less is left for each. */
const [MOST_VALUE_BYTES, LEAST_VALUE_BYTES] = [10_000, 100];
const MOST_NAME_LENGTH = 500;
/** About what a number or NULL takes as text. */
const NUMBER_BYTES = 12;
/** Flag of OpenRead: the root page is in a register (`OPFLAG_P2ISREG`). */
const IN_REGISTER = 0x10;

export interface GuardedQuery {
  readonly sql: string;
  readonly skip: number;
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly limitMs: number;
}

/** @param hiding null: everything is visible; `blank` is an empty database that nothing else uses @throws AppError */
export function guardedRows(
  connection: Connection,
  query: GuardedQuery,
  hiding: { readonly rules: GuardRules; readonly blank: Connection } | null,
): GuardedRows {
  assertReads(query.sql);
  return rolledBack(connection, () => {
    // The statement sees the schema that the rules were applied to: a transaction begins with the first read.
    connection.one('PRAGMA main.schema_version');
    if (hiding === null) return readRows(connection, query);
    const visible = visibleSchema(connection, hiding.rules);
    const named = assertResolves(connection, hiding.blank, visible, query.sql);
    try {
      for (const table of named) connection.run(viewOf(table, `main.${quoteName(table.name)}`));
      assertOpensOnly(connection, visible, query.sql);
      return readRows(connection, query);
    } catch (error) {
      throw withoutNames(error, visible);
    }
  });
}

function assertReads(sql: string): void {
  if (splitStatements(sql).length !== 1) fail('invalid', 'Send exactly one statement. Nothing was run.');
  if (!READS.has(leadingKeyword(sql)))
    fail('invalid', 'Only a statement that begins with SELECT, WITH, or VALUES can be run here. Nothing was run.');
}

function rolledBack<T>(connection: Connection, body: () => T): T {
  connection.run('BEGIN');
  try {
    return body();
  } finally {
    connection.run('ROLLBACK');
  }
}

const viewOf = ({ name, columns }: VisibleTable, source: string): string =>
  `CREATE TEMP VIEW ${quoteName(name)} AS SELECT ${quoteNames(columns)} FROM ${source}`;

/** Returns the tables that the text may name. @throws AppError `sql` if it names anything that is not visible */
function assertResolves(
  connection: Connection,
  blank: Connection,
  visible: VisibleSchema,
  sql: string,
): readonly VisibleTable[] {
  const words = namesIn(sql);
  const isHiddenModule = (name: string): boolean => words.has(name) && visible.hiddenNames.has(name);
  const revealing = revealingName(connection, words) ?? [...HARMLESS_MODULES].find(isHiddenModule) ?? null;
  if (revealing !== null) throw AppError.sql(`There is no table named “${revealing}”.`);
  const named = [...visible.tables].filter(([name]) => words.has(name)).map(([, table]) => table);
  let prefix = 'stand_in_';
  while ([...words].some((word) => word.startsWith(prefix))) prefix += '_';
  rolledBack(blank, () => {
    for (const [at, table] of named.entries()) {
      blank.run(`CREATE TEMP TABLE ${prefix}${at} (${quoteNames(table.columns)})`);
      blank.run(viewOf(table, `temp.${prefix}${at}`));
    }
    blank.check(sql);
  });
  return named;
}

/** Independent of names: the root pages that the program of the statement opens are those of visible tables and their indexes. */
function assertOpensOnly(connection: Connection, visible: VisibleSchema, sql: string): void {
  const roots = new Set(
    connection
      .all('SELECT rootpage, tbl_name FROM main.sqlite_schema WHERE rootpage > 0')
      .filter(([, table]) => visible.tables.has(foldName(table as string)))
      .map(([root]) => Number(root)),
  );
  const mayOpenVirtual = [...namesIn(sql)].some((name) => HARMLESS_MODULES.has(name));
  for (const [, opcode, , root, schema, , flags] of connection.all(`EXPLAIN ${sql}`)) {
    const isTable = opcode === 'OpenRead' || opcode === 'ReopenIdx' || opcode === 'OpenWrite';
    const isOther =
      isTable && (Number(schema) !== 0 || (Number(flags) & IN_REGISTER) !== 0 || !roots.has(Number(root)));
    if (isOther || (opcode === 'VOpen' && !mayOpenVirtual && !viewsOpenVirtual(connection, visible)))
      throw AppError.sql('The statement would read more than is visible here. Nothing was run.');
  }
}

/** A visible view may read the table of a module that is harmless. */
const viewsOpenVirtual = (connection: Connection, { tables }: VisibleSchema): boolean =>
  connection
    .all("SELECT name, sql FROM main.sqlite_schema WHERE type = 'view'")
    .some(
      ([name, sql]) =>
        tables.has(foldName(name as string)) && [...HARMLESS_MODULES].some((one) => namesIn(sql as string).has(one)),
    );

/** SQLite may name a hidden object for which a visible one stands, such as in the error of a function. */
function withoutNames(error: unknown, { hiddenNames }: VisibleSchema): unknown {
  if (!(error instanceof AppError)) return error;
  const message = foldName(error.message);
  // oxlint-disable-next-line sidelite/text-decisions -- the words themselves are what is looked for
  if (![...hiddenNames].some((name) => message.includes(name)))
    return new AppError({ code: error.code, message: error.message });
  return AppError.sql('SQLite could not run this statement.');
}

function readRows(connection: Connection, { sql, skip, maxRows, maxBytes, limitMs }: GuardedQuery): GuardedRows {
  const endMs = performance.now() + limitMs;
  const statement = connection.prepare(sql);
  try {
    if (!statement.readonly || statement.columnCount === 0 || statement.control !== null)
      fail('invalid', 'The statement does more than read rows. Nothing was run.');
    const columns = statement.columns.map(({ name }) => name.slice(0, MOST_NAME_LENGTH));
    const rows: (readonly GuardedValue[])[] = [];
    const mostBytes = Math.max(LEAST_VALUE_BYTES, Math.min(MOST_VALUE_BYTES, Math.floor(maxBytes / columns.length)));
    let [cut, bytes]: [GuardedRows['cut'], number] = [null, 0];
    for (let at = 0; cut === null && statement.step(); at++) {
      if (performance.now() > endMs)
        throw AppError.stopped(`The statement took longer than ${limitMs / 1000} s and was stopped.`);
      if (at < skip) continue;
      if (rows.length === maxRows) cut = 'rows';
      else {
        const row = rowOf(statement, mostBytes);
        bytes += row.reduce((sum: number, value) => sum + textBytes(value), 0);
        if (rows.length > 0 && bytes > maxBytes) cut = 'bytes';
        else rows.push(row);
      }
    }
    return { columns, rows, cut, mark: connection.commitMark };
  } finally {
    statement.finalize();
  }
}

const rowOf = (statement: Statement, mostBytes: number): readonly GuardedValue[] =>
  Array.from({ length: statement.columnCount }, (_, column) => shortened(statement.value(column), mostBytes));

function shortened(value: Value, mostBytes: number): GuardedValue {
  if (typeof value === 'string') {
    return value.length <= mostBytes ? value : { beginning: value.slice(0, mostBytes), size: value.length };
  }
  if (value === null || typeof value !== 'object') return value;
  const bytes = value instanceof Uint8Array ? value : isRawText(value) ? value.textBytes : null;
  return bytes === null || bytes.length <= mostBytes
    ? value
    : { beginning: bytes.slice(0, mostBytes), size: bytes.length };
}

function textBytes(value: GuardedValue): number {
  if (typeof value === 'string') return value.length + 2;
  if (value === null || typeof value !== 'object') return NUMBER_BYTES;
  if (value instanceof Uint8Array) return NUMBER_BYTES + 2 * value.length;
  if ('beginning' in value) return NUMBER_BYTES + 2 * value.beginning.length;
  return isRawText(value) ? NUMBER_BYTES + 2 * value.textBytes.length : NUMBER_BYTES;
}
