// Statements of SQL Server, as Management Studio writes them. Keys come after the rows: the file is scanned once for them.
import { quoteName, quoteNames } from '../../sql/quote.ts';
import { asText } from './byte-text.ts';
import { BEYOND_REAL, insertSql, isBeyondReal, isDefault, rowsFrom, targetsOf } from './inserted-rows.ts';
import { nameOf, written } from './rewriting.ts';
import { afterParentheses, isPeriod, isSign, isWord, splitAtCommas, tokensOf, type SqlToken } from './tokens.ts';
import type { DumpText, SqlAction, SqlTranslator } from './translator.ts';
import { TsqlNames, columnOf, constraintOf, defaultOf, type TsqlColumn } from './tsql-tables.ts';
import type { Literal } from './cast-meanings.ts';
import { insertAction, OTHER_BYTES } from './plain-value.ts';
import { TSQL_VALUES, tsqlValue } from './tsql-values.ts';

const refuse = (reason: string): SqlAction => ({ do: 'refuse', reason });
const leave = (group: string): SqlAction => ({ do: 'leave', group });
const run = (...sql: readonly string[]): SqlAction => ({ do: 'run', sql });

const SETTINGS = 'settings of SQL Server (SET, USE, descriptions, permissions, …)';
const KEYS = 'statements that add a key, a constraint, or a default, which was made with its table';
const CONDITIONS = 'conditions (IF), whose statements in other lines are run';
const BLOCKS = 'ends of blocks (BEGIN, END), whose statements are run';
const LEFT =
  /^(?:SET|USE|PRINT|GRANT|DENY|REVOKE|DECLARE|CHECKPOINT|CREATE\s+(?:DATABASE|SCHEMA|USER|LOGIN|ROLE|STATISTICS|FULLTEXT)|ALTER\s+(?:DATABASE|ROLE|AUTHORIZATION|USER)|DROP\s+(?:DATABASE|SCHEMA|USER)|EXEC(?:UTE)?\s+(?:\[?\w+\]?\.)*\[?sp_(?:add|update|drop)extendedproperty)\b/i;
/** Statements in one that is a condition, or in a text that is run. */
const CHANGES = /\b(?:INSERT|UPDATE|DELETE|MERGE|CREATE|ALTER|TRUNCATE|EXEC|EXECUTE|SP_RENAME)\b/i;
const USE = /^USE\s/i;
const OF_TABLE = /^(?:CREATE|ALTER)\s+TABLE\b|^INSERT\b/i;
const TABLE = /^CREATE\s+TABLE\b/i;

export const tsqlTranslator = ({ existing }: DumpText): SqlTranslator => new Tsql(existing);

/** What statements after a table add to it. */
interface Late {
  primaryKey: readonly string[];
  readonly constraints: string[];
  readonly defaults: Map<string, string>;
}

class Tsql implements SqlTranslator {
  readonly #notes: string[] = [];
  readonly #names = new TsqlNames();
  readonly #late = new Map<string, Late>();
  readonly #columns = new Map<string, readonly TsqlColumn[]>();
  /** Columns of each table whose default comes further on: until then, a row without a value has NULL there. */
  readonly #withoutDefault = new Map<string, Set<string>>();
  readonly #existing: DumpText['existing'];

  constructor(existing: DumpText['existing']) {
    this.#existing = existing;
  }

  get notes(): readonly string[] {
    return [...this.#notes, ...this.#names.notes];
  }

  /** Follows which database the tables of a statement are in. */
  #place(text: string): void {
    if (USE.test(text)) this.#names.use(nameOf(tokensOf(text, 'tsql')[1]));
    else if (OF_TABLE.test(text)) this.#names.hasTable();
  }

  see(text: string): void {
    this.#place(text);
    if (!/^ALTER\s+TABLE\b/i.test(text)) return;
    const tokens = tokensOf(text, 'tsql');
    const [table, after] = this.#names.tableName(tokens, 2);
    const late = this.#late.get(table) ?? { primaryKey: [], constraints: [], defaults: new Map<string, string>() };
    this.#late.set(table, late);
    for (const part of added(tokens.slice(after))) {
      const constraint = constraintOf(part, this.#names.tableName);
      const column = defaultFor(part);
      if (constraint?.primaryKey) late.primaryKey = constraint.primaryKey;
      else if (constraint) late.constraints.push(constraint.sql);
      else if (column) late.defaults.set(column.name, defaultOf(column.value, column.name, this.#notes));
    }
  }

  restart(): void {
    this.#names.restart();
  }

  translate(text: string): SqlAction {
    this.#place(text);
    if (TABLE.test(text)) return this.#createTable(tokensOf(text, 'tsql'));
    if (LEFT.test(text)) return leave(SETTINGS);
    const tokens = tokensOf(text, 'tsql');
    const [first, second] = tokens;
    switch (first?.text.toUpperCase()) {
      case 'INSERT':
        return this.#insert(text, tokens);
      case 'CREATE':
        return this.#create(tokens);
      case 'ALTER':
        return this.#alter(tokens);
      case 'IF':
      case 'EXEC':
      case 'EXECUTE':
        return ran(text.slice(first.text.length), first.text.toUpperCase() === 'IF');
      case 'DROP':
        return isWord(second, 'TABLE', 'VIEW') ? dropped(tokens, this.#names) : leave(SETTINGS);
      case 'BEGIN':
        if (isWord(second, 'TRAN', 'TRANSACTION')) return run('BEGIN');
        return tokens.length === 1 ? leave(BLOCKS) : refuse('SQLite has no programs.');
      case 'END':
        return tokens.length === 1 ? leave(BLOCKS) : refuse('SQLite has no programs.');
      case 'COMMIT':
      case 'ROLLBACK':
        return run(first.text.toUpperCase());
      case 'UPDATE':
      case 'DELETE':
        return query(tokens, this.#names);
      case 'TRUNCATE':
        return run(`DELETE FROM ${quoteName(this.#names.tableName(tokens, 2)[0])}`);
      case 'SELECT':
        return refuse('It is a query, which adds nothing.');
      default:
        return refuse(`It begins with “${asText(text.slice(0, 20))}”, which is not known here.`);
    }
  }

  #createTable(tokens: readonly SqlToken[]): SqlAction {
    const [name, open] = this.#names.tableName(tokens, 2);
    if (!isSign(tokens[open], '(')) return refuse('The table has no list of columns.');
    const late = this.#late.get(name);
    let primaryKey = late?.primaryKey ?? [];
    const constraints: string[] = [];
    const columns: TsqlColumn[] = [];
    for (const item of splitAtCommas(tokens.slice(open + 1, afterParentheses(tokens, open) - 1))) {
      if (isPeriod(item)) continue;
      if (isIndex(item)) {
        this.#notes.push(`The index “${nameOf(item[1])}” within the definition of “${name}” was left out.`);
        continue;
      }
      const constraint = item[0]?.kind === 'name' ? null : constraintOf(item, this.#names.tableName);
      if (constraint?.primaryKey) primaryKey = constraint.primaryKey;
      else if (constraint) constraints.push(constraint.sql);
      else {
        const column = columnOf(item, this.#notes, this.#names.tableName);
        columns.push({ ...column, rest: column.rest + (late?.defaults.get(column.name) ?? '') });
        if (column.isPrimary) primaryKey = [column.name];
      }
    }
    const kept = columns.filter((column) => !joinsTexts(column, columns));
    for (const column of columns)
      if (!kept.includes(column))
        this.#notes.push(
          `The computed column “${name}.${column.name}” was left out: it may join texts with +, which adds numbers in SQLite.`,
        );
    this.#columns.set(name, kept);
    this.#withoutDefault.set(name, new Set(late?.defaults.keys()));
    const counts = columns.find(({ isCounting }) => isCounting)?.name ?? null;
    const all = [...constraints, ...(late?.constraints ?? [])];
    const isCheck = (constraint: string): boolean => constraint.startsWith('CHECK');
    const table = {
      name,
      columns: kept,
      primaryKey,
      counts,
      constraints: all.filter((constraint) => !isCheck(constraint)),
    };
    return { do: 'create-table', table, checks: all.filter(isCheck), after: [] };
  }

  #create(tokens: readonly SqlToken[]): SqlAction {
    const at = tokens.findIndex((token) =>
      isWord(token, 'INDEX', 'VIEW', 'TRIGGER', 'PROCEDURE', 'PROC', 'FUNCTION', 'TYPE'),
    );
    if (isWord(tokens[at], 'INDEX')) return createIndex(tokens, at + 1, this.#names);
    if (isWord(tokens[at], 'VIEW')) {
      const [name, after] = this.#names.tableName(tokens, at + 1);
      return query(tokens.slice(after), this.#names, `CREATE VIEW ${quoteName(name)} `);
    }
    return refuse('It creates something that SQLite does not have.');
  }

  #alter(tokens: readonly SqlToken[]): SqlAction {
    if (!isWord(tokens[1], 'TABLE')) return refuse('SQLite cannot change this.');
    const [table, after] = this.#names.tableName(tokens, 2);
    const rest = tokens.slice(after);
    const parts = added(rest);
    const isMade =
      parts.length > 0 &&
      parts.every((part) => constraintOf(part, this.#names.tableName) !== null || defaultFor(part) !== null);
    for (const part of parts) this.#withoutDefault.get(table)?.delete(defaultFor(part)?.name ?? '');
    if (isMade && this.#columns.has(table)) return leave(KEYS);
    return isWord(rest[0], 'CHECK', 'NOCHECK', 'ENABLE', 'DISABLE', 'SET', 'REBUILD')
      ? leave(SETTINGS)
      : refuse('SQLite cannot change an existing table this way.');
  }

  #insert(text: string, tokens: readonly SqlToken[]): SqlAction {
    const [table, open] = this.#names.tableName(tokens, isWord(tokens[1], 'INTO') ? 2 : 1);
    const close = isSign(tokens[open], '(') ? afterParentheses(tokens, open) : open;
    const named = close > open ? splitAtCommas(tokens.slice(open + 1, close - 1)).map(([name]) => nameOf(name)) : null;
    const isNull = this.#withoutDefault.get(table) ?? new Set();
    const nulls = named === null ? [] : [...isNull].filter((name) => !named.some((other) => isSameName(name, other)));
    if (!isWord(tokens[close], 'VALUES')) return this.#insertQuery(table, named, nulls, tokens.slice(close));
    const known = this.#columns.get(table) ?? this.#existing.get(table.toLowerCase());
    // Values in the order of the table leave out counted columns, and computed ones anyway.
    const given = this.#columns.get(table)?.filter(({ isCounting }) => !isCounting) ?? known;
    const targets = targetsOf(named && [...named, ...nulls], named === null ? given : known);
    const { rows, after } = rowsFrom(tokens, close + 1);
    const write = (row: readonly Literal[]): readonly (string | null)[] | string => {
      const inSql: (string | null)[] = [];
      for (const [place, value] of row.entries()) {
        const isNone = isDefault(value);
        const sql = isNone ? null : tsqlValue(value, targets?.[place]?.holds ?? null);
        if (sql === null && !isNone) return isBeyondReal(value) ? BEYOND_REAL : OTHER_BYTES;
        inSql.push(isNone && isNull.has(targets?.[place]?.name ?? '') ? 'NULL' : sql);
      }
      return [...inSql, ...nulls.map(() => 'NULL')];
    };
    return insertAction({ rows, text, dialect: TSQL_VALUES, write }, (sql) =>
      insertSql(`INSERT INTO ${quoteName(table)}`, targets, sql, written(after)),
    );
  }

  #insertQuery(
    table: string,
    named: readonly string[] | null,
    nulls: readonly string[],
    tokens: readonly SqlToken[],
  ): SqlAction {
    const columns = named === null ? '' : ` (${quoteNames([...named, ...nulls])})`;
    const selected = query(tokens, this.#names);
    if (selected.do !== 'run') return selected;
    const sql =
      nulls.length === 0 ? selected.sql[0]! : `SELECT *${', NULL'.repeat(nulls.length)} FROM (${selected.sql[0]!})`;
    return run(`INSERT INTO ${quoteName(table)}${columns} ${sql}`);
  }
}

/** `INDEX [i] NONCLUSTERED ([a])` among the columns of a table. */
const isIndex = ([first, second]: readonly SqlToken[]): boolean => isWord(first, 'INDEX') && second?.kind === 'name';

const isSameName = (name: string, other: string): boolean => name.toLowerCase() === other.toLowerCase();

/** A computed column that adds something to a text, as far as its words tell. */
function joinsTexts({ isGenerated, rest }: TsqlColumn, columns: readonly TsqlColumn[]): boolean {
  if (!isGenerated || !rest.includes('+')) return false;
  // Names differ no more by case than those of SQLite.
  const text = rest.toLowerCase();
  const words = text.split(/[^\p{L}\p{N}_$#@]+/u);
  const isNamed = (name: string): boolean => words.includes(name) || text.includes(quoteName(name));
  return text.includes("'") || columns.some(({ name, holds }) => holds === 'text' && isNamed(name.toLowerCase()));
}

/** `ADD CONSTRAINT …, CONSTRAINT …`, also after WITH CHECK; empty for anything else. */
function added(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const add = isWord(tokens[0], 'WITH') ? 2 : 0;
  return isWord(tokens[add], 'ADD') ? splitAtCommas(tokens.slice(add + 1)) : [];
}

/** `CONSTRAINT [c] DEFAULT ((0)) FOR [a]`; null for anything else. */
function defaultFor(part: readonly SqlToken[]): { readonly name: string; readonly value: readonly SqlToken[] } | null {
  const from = part.findIndex((token) => isWord(token, 'DEFAULT'));
  const to = part.map((token) => isWord(token, 'FOR')).lastIndexOf(true);
  return from < 0 || to < from ? null : { name: nameOf(part[to + 1]), value: part.slice(from + 1, to) };
}

/** What is run only by a condition, or in a text. @param text after the first word */
function ran(text: string, isCondition: boolean): SqlAction {
  if (!CHANGES.test(text)) return leave(isCondition ? CONDITIONS : SETTINGS);
  return refuse(isCondition ? 'It depends on a condition.' : 'What it runs is not understood.');
}

function dropped(tokens: readonly SqlToken[], names: TsqlNames): SqlAction {
  const kind = tokens[1]!.text.toUpperCase();
  const parts = splitAtCommas(tokens.slice(isWord(tokens[2], 'IF') ? 4 : 2));
  return run(...parts.map((part) => `DROP ${kind} IF EXISTS ${quoteName(names.tableName(part, 0)[0])}`));
}

function createIndex(tokens: readonly SqlToken[], from: number, names: TsqlNames): SqlAction {
  const [table, open] = names.tableName(tokens, from + 2);
  const close = afterParentheses(tokens, open);
  const isUnique = tokens.slice(0, from).some((token) => isWord(token, 'UNIQUE'));
  if (tokens.slice(0, from).some((token) => isWord(token, 'COLUMNSTORE', 'XML', 'SPATIAL')))
    return refuse('SQLite has no indexes of this kind.');
  const where = tokens.findIndex((token, at) => at >= close && isWord(token, 'WHERE'));
  const filter = where < 0 ? '' : ` ${written(tokens.slice(where, endOfFilter(tokens, where)))}`;
  return run(
    `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${quoteName(nameOf(tokens[from]))} ON ${quoteName(table)} ${written(tokens.slice(open, close))}${filter}`,
  );
}

function endOfFilter(tokens: readonly SqlToken[], where: number): number {
  const end = tokens.findIndex((token, at) => at > where && isWord(token, 'WITH', 'ON'));
  return end < 0 ? tokens.length : end;
}

/** A query means the same to SQLite with the names that tables have here; `+` between texts does not. */
function query(tokens: readonly SqlToken[], names: TsqlNames, head = ''): SqlAction {
  return tokens.some((token) => isSign(token, '+'))
    ? refuse('It joins texts with +, which adds numbers in SQLite.')
    : run(head + written(names.query(tokens)));
}
