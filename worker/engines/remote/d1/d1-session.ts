// The session with a database of Cloudflare D1. Each request is a transaction of its own: there are none that last longer, no version of the
// schema, and no word about what others have changed.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { SqlScanner, Token, unquote } from '#shared/sql-scanner.ts';
import { quoteName } from '../../../sql/quote.ts';
import type { GuardedOutcome, GuardedWrite } from '../../guarded-write.ts';
import { DecodedCell } from '../hrana/values.ts';
import type { RemoteSql, StatementResult } from '../hrana/messages.ts';
import { isLostConnection, mayHaveActed } from '../network/network-error.ts';
import { unknownOutcome } from '../session/outcomes.ts';
import type { Effect, RowsTouched, ServerSession, TogetherParts } from '../session/server-session.ts';
import type { RemoteStatement } from '../statements/remote-statement.ts';
import type { D1Client, D1Result } from './d1-client.ts';
import { describeD1Error } from './d1-error.ts';
import { bindD1, decodeRows, markedQuery, markedName, markedSql } from './d1-values.ts';
import { writeD1Together } from './write-d1-together.ts';

/** Documented, and measured. */
const MAX_STATEMENT_BYTES = 100_000;
const CHANGES: RemoteSql = { sql: 'SELECT changes() AS changes', args: [], wantRows: true };
/** Statements that read, and cannot be inside a query. */
const NOT_OF_A_QUERY: ReadonlySet<string> = new Set(['pragma', 'explain', 'attach', 'detach']);
const CHANGES_ROWS: ReadonlySet<string> = new Set(['insert', 'update', 'delete']);

/** Settings that Sidelite reads. D1 does not allow them to be changed or read. */
const SETTINGS: Readonly<Record<string, Value>> = {
  application_id: 0,
  encoding: 'UTF-8',
  journal_mode: 'wal',
  page_size: 4096,
  user_version: 0,
};
/** A query that is answered without D1. */
class KnownSetting implements RemoteSql {
  readonly sql: string;
  readonly args = [];
  readonly wantRows = true;
  readonly result: StatementResult;

  constructor(sql: string, value: Value) {
    this.sql = sql;
    const counts = { affected_row_count: 0, last_insert_rowid: null, rows_read: 0, rows_written: 0 };
    this.result = { cols: [{ name: 'setting', decltype: '' }], rows: [[new DecodedCell(value)]], ...counts };
  }
}

/** A query, and an alternative form for texts that are not UTF-8. */
class D1Query implements RemoteSql {
  readonly sql: string;
  readonly args: readonly string[];
  readonly wantRows = true;
  readonly #query: string;
  readonly #columns: number;

  constructor({ sql, args }: RemoteSql, columns: number) {
    this.sql = markedQuery(sql, columns, false);
    this.args = args;
    this.#query = sql;
    this.#columns = columns;
  }

  get asHex(): RemoteSql {
    return { sql: markedQuery(this.#query, this.#columns, true), args: this.args, wantRows: true };
  }
}

/** A statement that changes rows. */
class D1Write implements RemoteSql {
  readonly sql: string;
  readonly args: readonly string[];
  readonly wantRows = true;

  constructor(sql: string, args: readonly string[]) {
    this.sql = sql;
    this.args = args;
  }
}

export class D1Session implements ServerSession {
  /** Leaves out the tables that D1 keeps for itself and does not allow to be read. */
  readonly schemaQuery = `SELECT type, name, tbl_name, sql FROM main.sqlite_schema WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY rowid`;
  readonly autocommit = true;
  readonly transaction = null;
  readonly otherCommits = 0;
  readonly lostTransactions = 0;
  readonly whyLost = null;
  readonly index = null;
  readonly written = null;
  readonly canRunTogether = true;
  readonly canUseCursor = false;
  readonly #client: D1Client;
  #schemaVersion = 1;
  #touched: RowsTouched = { read: 0, written: 0 };
  #sizeBytes = 0;

  constructor(client: D1Client) {
    this.#client = client;
  }

  get schemaVersion(): number {
    return this.#schemaVersion;
  }

  get touched(): RowsTouched {
    return this.#touched;
  }

  /** Size of the database, as of the last reply. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  bind(statement: RemoteStatement, params: readonly Value[]): RemoteSql {
    return this.bindUpTo(Infinity, statement, params);
  }

  /** @param most of the columns that the statement returns with RETURNING; the others are left out */
  bindUpTo(most: number, statement: RemoteStatement, params: readonly Value[]): RemoteSql {
    const { sql, shape, columns, readonly: isReading, isOfScript } = statement;
    if (shape.verb === 'pragma' && !shape.hasValue && !isOfScript) {
      const name = shape.target?.name ?? '';
      if (name === 'schema_version') return new KnownSetting(sql, this.#schemaVersion);
      if (Object.hasOwn(SETTINGS, name)) return new KnownSetting(sql, SETTINGS[name]!);
    }
    const bound = bindD1(sql, shape, params);
    if (NOT_OF_A_QUERY.has(shape.verb)) return bound;
    if (isReading) return new D1Query(bound, columns.length);
    const names = columns.map(({ name }) => name);
    const marked = markedReturning(bound.sql, names, most);
    if (marked === null && shape.verb === 'read') return new D1Query(bound, columns.length);
    if (marked === null) throw returningNotUnderstood();
    return CHANGES_ROWS.has(shape.verb) ? new D1Write(marked, bound.args) : { ...bound, sql: marked };
  }

  run(statement: RemoteSql, effect: Effect): StatementResult {
    if (statement instanceof KnownSetting) return statement.result;
    if (effect === 'begin') throw noTransactions();
    if (effect === 'commit' || effect === 'rollback')
      throw AppError.invalid('No transaction is open. D1 has none that last longer than one request.');
    if (effect === 'read') return this.#read(statement);
    const [result, changes] = this.runBatch([statement, CHANGES], 'write');
    if (statement instanceof D1Write) return { ...result!, affected_row_count: numberIn(changes!) };
    this.#schemaVersion++;
    return result!;
  }

  /** Runs all statements in one transaction. @throws MissedWrite, AppError */
  runBatch(statements: readonly RemoteSql[], effect: 'read' | 'write'): readonly StatementResult[] {
    return this.#send(statements, effect).map((result) => this.#note(result));
  }

  beginWith(): never {
    throw noTransactions();
  }

  runInTransaction(): never {
    throw noTransactions();
  }

  cursor(): never {
    throw noTransactions();
  }

  writeTogether(parts: TogetherParts, writes: readonly GuardedWrite[]): GuardedOutcome {
    return writeD1Together(this, parts, writes);
  }

  /** D1 reports nothing about changes by others. */
  refresh(): void {}

  refreshSchema(): void {
    this.#schemaVersion++;
  }

  describe(): null {
    this.refreshSchema();
    return null;
  }

  close(): void {}

  #read(statement: RemoteSql): StatementResult {
    const [result] = this.#send([statement], 'read');
    const { results } = result!;
    if (statement instanceof D1Query && decodeRows(results.columns, results.rows).isDoubtful) {
      const [again] = this.#send([statement.asHex], 'read');
      const sure = decodeRows(again!.results.columns, again!.results.rows);
      if (sure.isDoubtful) throw longTextNotUnicode();
      return this.#note(again!);
    }
    return this.#note(result!);
  }

  #send(statements: readonly RemoteSql[], effect: 'read' | 'write'): readonly D1Result[] {
    for (const { sql } of statements) assertFits(sql);
    try {
      return this.#sendAgain(statements, effect === 'read');
    } catch (error) {
      const told = this.#describe(error);
      throw effect === 'write' && mayHaveActed(told) ? unknownOutcome(told) : told;
    }
  }

  /** A read can be repeated: a connection that the server has closed is only noticed when it is used. */
  #sendAgain(statements: readonly RemoteSql[], mayRepeat: boolean): readonly D1Result[] {
    try {
      return this.#client.batch(statements);
    } catch (error) {
      if (!mayRepeat || !isLostConnection(error)) throw error;
      return this.#client.batch(statements);
    }
  }

  #describe(thrown: unknown): unknown {
    const told = describeD1Error(thrown);
    if (told.isOtherSchema) this.#schemaVersion++;
    return told.error;
  }

  #note({ results: { columns, rows }, meta }: D1Result): StatementResult {
    const { read, written } = this.#touched;
    this.#touched = { read: read + meta.rows_read, written: written + meta.rows_written };
    this.#sizeBytes = meta.size_after;
    return {
      cols: columns.map((name) => ({ name, decltype: '' })),
      rows: decodeRows(columns, rows).rows.map((row) => row.map((value) => new DecodedCell(value))),
      affected_row_count: 0,
      last_insert_rowid: Number.isSafeInteger(meta.last_row_id) ? String(meta.last_row_id) : null,
      rows_read: meta.rows_read,
      rows_written: meta.rows_written,
    };
  }
}

const numberIn = ({ rows: [row] }: StatementResult): number =>
  Number((row?.[0] as DecodedCell | undefined)?.value ?? 0);

function assertFits(sql: string): void {
  const bytes = Buffer.byteLength(sql);
  if (bytes <= MAX_STATEMENT_BYTES) return;
  throw AppError.tooBig(
    inParts(
      `D1 accepts statements of at most 100 KB. With its values, this one has ${Math.ceil(bytes / 1000).toLocaleString('en-US')} KB.`,
      'Nothing was changed.',
    ),
  );
}

const noTransactions = (): AppError =>
  AppError.unavailable(
    inParts(
      'D1 carries out each request on its own and has no transactions that last longer, which this would need.',
      'Nothing was changed. Single statements and edits of a table work.',
    ),
    { detail: { kind: 'no-transactions' } },
  );

const returningNotUnderstood = (): AppError =>
  AppError.unavailable(
    inParts(
      'D1 rounds long integers, and Sidelite cannot tell which values this statement returns. List them after RETURNING, and name each with AS.',
      'Nothing was changed.',
    ),
  );

const longTextNotUnicode = (): AppError =>
  AppError.unavailable(
    'A text of this result is longer than 900 KB, and D1 may have replaced bytes of it that are not UTF-8. It is not shown for that reason.',
  );

// The values that a statement returns with RETURNING, marked with their storage classes: such a statement cannot be a part of a query.

/**
 * @param columns names of the columns that the statement returns
 * @param most of the columns, from the first one on
 * @returns null where the clause is not understood; the unchanged statement where it has no such clause
 */
function markedReturning(sql: string, columns: readonly string[], most: number): string | null {
  if (columns.length === 0) return sql;
  const clause = findClause(sql);
  if (clause === null) return null;
  const [first, ...rest] = clause.items;
  const expressions =
    first === undefined
      ? []
      : rest.length === 0 && first.text === '*'
        ? columns.map(quoteName)
        : clause.items.map((item, at) => item.withoutAlias(columns[at]));
  if (expressions.length !== columns.length || expressions.includes('*')) return null;
  // A subquery keeps the text of an expression, which may be long, from being repeated. A comment may end it.
  const marked = expressions
    .slice(0, most)
    .map((each, at) => `(SELECT ${markedSql('v', true)} FROM (SELECT ${each}\n AS v)) AS ${markedName(at)}`);
  return `${sql.slice(0, clause.from)} ${marked.join(', ')}`;
}

interface Piece {
  readonly kind: Token;
  readonly from: number;
  readonly to: number;
}

class Item {
  readonly #sql: string;
  readonly #pieces: readonly Piece[];

  constructor(sql: string, pieces: readonly Piece[]) {
    this.#sql = sql;
    this.#pieces = pieces;
  }

  get text(): string {
    return this.#upTo(this.#pieces.length);
  }

  /** @param name what the column is called: a name of its own can be told by it */
  withoutAlias(name: string | undefined): string {
    const { length } = this.#pieces;
    const last = this.#pieces[length - 1];
    const before = this.#pieces[length - 2];
    if (!last || !before) return this.text;
    if (/^AS$/i.test(this.#text(before))) return this.#upTo(length - 2);
    const isName = last.kind === Token.word || last.kind === Token.quoted || last.kind === Token.text;
    const follows = before.kind !== Token.other || this.#text(before) === ')';
    const named = last.kind === Token.word ? this.#text(last) : unquote(this.#text(last));
    return isName && follows && named === name ? this.#upTo(length - 1) : this.text;
  }

  #text({ from, to }: Piece): string {
    return this.#sql.slice(from, to);
  }

  #upTo(count: number): string {
    const [first] = this.#pieces;
    return first === undefined || count === 0 ? '' : this.#sql.slice(first.from, this.#pieces[count - 1]!.to);
  }
}

interface Clause {
  /** Position after the word. */
  readonly from: number;
  readonly items: readonly Item[];
}

function findClause(sql: string): Clause | null {
  const scanner = new SqlScanner(sql);
  let depth = 0;
  let from = -1;
  let pieces: Piece[] = [];
  const items: Item[] = [];
  const end = (): void => {
    items.push(new Item(sql, pieces));
    pieces = [];
  };
  while (scanner.next() !== Token.end && scanner.kind !== Token.semicolon) {
    const { kind, text } = scanner;
    if (kind === Token.other && text === '(') depth++;
    if (kind === Token.other && text === ')') depth--;
    if (from < 0) {
      if (depth === 0 && kind === Token.word && /^RETURNING$/i.test(text)) from = scanner.to;
    } else if (depth === 0 && kind === Token.other && text === ',') end();
    else pieces.push({ kind, from: scanner.from, to: scanner.to });
  }
  if (from < 0) return null;
  end();
  return { from, items };
}
