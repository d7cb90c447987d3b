// Statements of PostgreSQL, as pg_dump writes them in its plain format. Keys come after the rows there, and before them in SQLite: the file is
// scanned once for them.
import { quoteName } from '../../sql/quote.ts';
import { sqlLiteral } from '../../sql/literal.ts';
import { asText, isUtf8Text, withoutByteEscapes } from './byte-text.ts';
import { BEYOND_REAL, insertSql, isDefault, rowsFrom, targetsOf, targetsOfRow } from './inserted-rows.ts';
import { columnOf, constraintOf, defaultOf, expression, isNextValue } from './postgres-columns.ts';
import type { Column, PostgresNames } from './postgres-columns.ts';
import { hasEscapes, withEscapes } from './postgres-modes.ts';
import type { Literal } from './cast-meanings.ts';
import { insertAction } from './plain-value.ts';
import { asOf, copyFormat, POSTGRES_VALUES, valueSql } from './postgres-values.ts';
import { PostgresFacts } from './postgres-facts.ts';
import { caseNotes, defaultNotes, nameOf, oddNotes } from './rewriting.ts';
import { afterParentheses, isSign, isWord, splitAtCommas, tokensOf, type SqlToken } from './tokens.ts';
import type { CopyColumn, DumpText, SqlAction, SqlTranslator } from './translator.ts';

const refuse = (reason: string): SqlAction => ({ do: 'refuse', reason });
const leave = (group: string): SqlAction => ({ do: 'leave', group });
const run = (...sql: readonly string[]): SqlAction => ({ do: 'run', sql });

const SETTINGS = 'settings of PostgreSQL (SET, owners, privileges, comments, sequences)';
const LEFT =
  /^(?:SET|RESET|GRANT|REVOKE|COMMENT|ANALYZE|VACUUM|SECURITY|CREATE\s+(?:SCHEMA|EXTENSION|SEQUENCE|ROLE|DATABASE|STATISTICS)|ALTER\s+(?:SEQUENCE|STATISTICS|POLICY|SCHEMA|TYPE|FUNCTION|VIEW|DATABASE|DEFAULT|EXTENSION|INDEX|DOMAIN)|DROP\s+(?:SCHEMA|EXTENSION|SEQUENCE|TYPE|FUNCTION|DATABASE))\b/i;

export const postgresTranslator = (text: DumpText): SqlTranslator => new Postgres(text);

class Postgres implements SqlTranslator {
  readonly #facts = new PostgresFacts();
  readonly #names = this.#facts.names;
  readonly #notes: string[] = [];
  readonly #sequences: string[] = [];
  readonly #tables = new Map<string, readonly Column[]>();
  /** Columns that lose their default, with their tables. */
  readonly #withoutDefault: string[] = [];
  readonly #existing: DumpText['existing'];
  readonly #hasEscapes: boolean;
  readonly #encoding: string;
  /** How many texts of each table are not UTF-8. */
  readonly #odd = new Map<string, number>();

  constructor({ beginning, encoding, existing }: DumpText) {
    this.#hasEscapes = hasEscapes(beginning);
    this.#encoding = encoding.toLowerCase();
    this.#existing = existing;
  }

  get notes(): readonly string[] {
    return [
      ...this.#notes,
      ...defaultNotes(this.#withoutDefault),
      ...this.#names.notes,
      ...oddNotes(this.#odd, 'utf-8'),
    ];
  }

  see(text: string): void {
    this.#facts.see(this.#statement(text));
  }

  #statement(text: string): string {
    return withoutByteEscapes(this.#hasEscapes ? withEscapes(text) : text, this.#encoding);
  }

  restart(): void {
    this.#names.restart();
  }

  finish(): readonly string[] {
    return this.#sequences;
  }

  /** @param raw a statement, or a command of psql */
  translate(raw: string): SqlAction {
    const text = this.#statement(raw);
    if (text.startsWith('\\'))
      return this.#facts.connects(text)
        ? leave('commands that change the database (\\connect)')
        : refuse('It is a command of the program psql, not SQL.');
    const [word = '', second = ''] = (/^([A-Za-z]+)(?:\s+([A-Za-z]+))?/.exec(text)?.slice(1) ?? []).map((part) =>
      (part ?? '').toUpperCase(),
    );
    if (LEFT.test(text)) return leave(SETTINGS);
    if (/^REFRESH\s/i.test(text)) return refuse('SQLite has no materialized views.');
    switch (word) {
      case 'BEGIN':
      case 'START':
        return run('BEGIN');
      case 'COMMIT':
      case 'END':
        return run('COMMIT');
      case 'ROLLBACK':
        return run('ROLLBACK');
      case 'COPY':
        return this.#copy(tokensOf(text, 'postgresql'));
      case 'INSERT':
        return this.#insert(text, tokensOf(text, 'postgresql'));
      case 'SELECT':
        return this.#select(text);
      case 'CREATE':
        return this.#create(text);
      case 'ALTER':
        return this.#alter(tokensOf(text, 'postgresql'));
      case 'DROP':
        return second === 'TABLE' || second === 'VIEW' || second === 'INDEX'
          ? this.#drop(tokensOf(text, 'postgresql'), second)
          : leave(SETTINGS);
      case 'UPDATE':
      case 'DELETE':
        return run(this.#query(tokensOf(text, 'postgresql')));
      default:
        return refuse(`It begins with “${asText(text.slice(0, 20))}”, which is not known here.`);
    }
  }

  #create(text: string): SqlAction {
    const tokens = tokensOf(text, 'postgresql');
    const at = tokens.findIndex((token) =>
      isWord(
        token,
        'TABLE',
        'VIEW',
        'INDEX',
        'FUNCTION',
        'PROCEDURE',
        'TRIGGER',
        'TYPE',
        'DOMAIN',
        'RULE',
        'POLICY',
        'AGGREGATE',
      ),
    );
    const kind = tokens[at]?.text.toUpperCase() ?? '';
    if (kind === 'TABLE') return this.#createTable(tokens, at + 1);
    if (kind === 'INDEX') return this.#createIndex(tokens, at + 1);
    if (kind === 'VIEW' && isWord(tokens[at - 1], 'MATERIALIZED')) return refuse('SQLite has no materialized views.');
    if (kind === 'VIEW') {
      const [name, after] = this.#names.tableName(tokens, at + 1);
      return run(`CREATE VIEW ${quoteName(name)} ${this.#query(tokens.slice(after))}`);
    }
    if (kind === 'DOMAIN')
      return refuse('SQLite has no domains: columns of this one have its type, without its checks.');
    if (kind === 'TYPE') return refuse('SQLite has no user-defined types: columns of this type hold text.');
    if (kind === 'TRIGGER') return refuse('Triggers of PostgreSQL call functions, which SQLite does not have.');
    return refuse('It creates something that SQLite does not have.');
  }

  #query(tokens: readonly SqlToken[]): string {
    return expression(this.#names.query(tokens));
  }

  #createTable(tokens: readonly SqlToken[], from: number): SqlAction {
    const [name, open] = this.#names.tableName(tokens, isWord(tokens[from], 'IF') ? from + 3 : from);
    const whole = this.#facts.wholeOf(name);
    if (whole !== null) {
      this.#notes.push(`“${name}” is a partition of “${whole}”, which has its rows here.`);
      return leave('partitions of tables');
    }
    const isList = isSign(tokens[open], '(');
    const close = isList ? afterParentheses(tokens, open) : open;
    const known = this.#facts.of(name);
    const constraints: string[] = [];
    const checks: string[] = [];
    const columns = this.#inherited(name, tokens.slice(close));
    for (const item of splitAtCommas(tokens.slice(open + 1, close - 1))) {
      if (isWord(item[0], 'LIKE')) return refuse('It copies the columns of another table (LIKE).');
      if (isPartOfCockroach(item)) {
        this.#notes.push(`An index or a column family within the definition of “${name}” was left out.`);
        continue;
      }
      const constraint = constraintOf(item, this.#names.tableName);
      if (constraint === null) {
        const column = columnOf(item, this.#facts.domains);
        const place = columns.findIndex((other) => other.column.name === column.column.name);
        columns.splice(place < 0 ? columns.length : place, place < 0 ? 0 : 1, column);
        checks.push(...column.checks);
        if (column.losesDefault) this.#withoutDefault.push(`${name}.${column.column.name}`);
        if (column.isCounting) known.counting.add(column.column.name);
        if (column.isPrimary) known.primaryKey = [column.column.name];
      } else if (constraint.primaryKey) known.primaryKey = constraint.primaryKey;
      else (constraint.isCheck ? checks : constraints).push(constraint.sql);
    }
    this.#tables.set(name, columns);
    const table = {
      name,
      primaryKey: known.primaryKey,
      counts: this.#facts.countedKeyOf(name),
      columns: columns.map(({ column }) => column),
      constraints: [...constraints, ...known.constraints],
    };
    this.#notes.push(...caseNotes(name, table.columns));
    return { do: 'create-table', table, checks: [...checks, ...known.checks], after: [] };
  }

  /** Columns of `INHERITS (…)`. */
  #inherited(name: string, tokens: readonly SqlToken[]): Column[] {
    const at = tokens.findIndex((token) => isWord(token, 'INHERITS'));
    if (at < 0) return [];
    const parents = splitAtCommas(tokens.slice(at + 2, afterParentheses(tokens, at + 1) - 1)).map(
      (parent) => this.#names.tableName(parent, 0)[0],
    );
    this.#notes.push(
      `“${name}” inherits columns of ${parents.map((parent) => `“${parent}”`).join(', ')}: its rows are in “${name}” alone.`,
    );
    const columns = new Map<string, Column>();
    for (const parent of parents)
      for (const column of this.#tables.get(parent) ?? []) columns.set(column.column.name, column);
    return [...columns.values()];
  }

  #columnsOf(table: string): readonly CopyColumn[] | null {
    const known = this.#tables.get(table)?.map(({ column, ...rest }) => ({ ...rest, name: column.name }));
    const columns = known ?? this.#existing.get(table.toLowerCase());
    return (
      columns?.map(({ name, holds, isGenerated }) => ({
        name,
        holds: holds ?? 'text',
        as: asOf(holds),
        isGenerated,
      })) ?? null
    );
  }

  /** The table that has the rows of this one. */
  #rowsTable(tokens: readonly SqlToken[], at: number): readonly [string, number] {
    const [table, after] = this.#names.tableName(tokens, at);
    return [this.#facts.wholeOf(table) ?? table, after];
  }

  #createIndex(tokens: readonly SqlToken[], from: number): SqlAction {
    const { table, method, sql } = indexOf(tokens, from, this.#names.tableName);
    if (this.#facts.wholeOf(table) !== null) return leave('indexes of partitions: those of the whole table are made');
    if (tokens.some((token, at) => isWord(token, 'NULLS') && isWord(tokens[at + 1], 'NOT')))
      return refuse('For an index of SQLite, every NULL differs from the others.');
    return method === 'btree' || method === 'hash' ? run(sql) : refuse(`SQLite has no indexes of the kind ${method}.`);
  }

  /** Keys are made with their table; SQLite has no use for the rest. */
  #alter(tokens: readonly SqlToken[]): SqlAction {
    if (!isWord(tokens[1], 'TABLE')) return refuse('SQLite cannot change this.');
    if (tokens.some((token) => isWord(token, 'ATTACH'))) return leave('partitions of tables');
    const added = tokens.findIndex((token) => isWord(token, 'ADD'));
    const isSeen =
      added >= 0 &&
      (constraintOf(tokens.slice(added + 1), this.#names.tableName) !== null ||
        tokens.some((token) => isWord(token, 'GENERATED')));
    if (
      isSeen ||
      tokens.some((token) => isWord(token, 'OWNER', 'REPLICA', 'CLUSTER', 'ROW', 'STATISTICS', 'STORAGE', 'TRIGGER'))
    )
      return leave(isSeen ? 'statements that add a key: it was made with its table' : SETTINGS);
    if (tokens.some((token, at) => isWord(token, 'SET') && isWord(tokens[at + 1], 'DEFAULT')))
      return isNextValue(tokens)
        ? leave('statements that add a key: it was made with its table')
        : this.#setDefault(tokens);
    return refuse('SQLite cannot change an existing table this way.');
  }

  /** Dumps repeat the defaults of a table that inherits them. */
  #setDefault(tokens: readonly SqlToken[]): SqlAction {
    const [table, after] = this.#names.tableName(tokens, isWord(tokens[2], 'ONLY') ? 3 : 2);
    const name = nameOf(tokens[isWord(tokens[after + 1], 'COLUMN') ? after + 2 : after + 1]);
    const made = this.#tables.get(table)?.find(({ column }) => column.name === name);
    const given = tokens.slice(tokens.findIndex((token) => isWord(token, 'DEFAULT')) + 1);
    const added = made === undefined ? '' : defaultOf(given, made.holds);
    return added !== '' && made?.column.rest.includes(added)
      ? leave('defaults that their table has already')
      : refuse('SQLite cannot add a default to an existing column.');
  }

  #drop(tokens: readonly SqlToken[], what: string): SqlAction {
    const [name] = this.#names.tableName(tokens, isWord(tokens[2], 'IF') ? 4 : 2);
    return run(`DROP ${what} IF EXISTS ${quoteName(name)}`);
  }

  #copy(tokens: readonly SqlToken[]): SqlAction {
    const stdin = tokens.findIndex((token) => isWord(token, 'STDIN'));
    if (!isWord(tokens[stdin - 1], 'FROM')) {
      const reads = tokens.some((token) => isWord(token, 'FROM')) && !isSign(tokens[1], '(');
      return refuse(reads ? 'Its rows are in another file, which is not read.' : 'It writes rows, and reads none.');
    }
    const [table, open] = this.#rowsTable(tokens, 1);
    const known = new Map(this.#columnsOf(table)?.map((column) => [column.name, column]));
    const names = isSign(tokens[open], '(')
      ? splitAtCommas(tokens.slice(open + 1, afterParentheses(tokens, open) - 1)).map(([first]) => nameOf(first))
      : [...known.values()].filter(({ isGenerated }) => !isGenerated).map(({ name }) => name);
    const format = copyFormat(tokens.slice(stdin + 1));
    if (format === null)
      return refuse('Of COPY, only the formats text and CSV are read, and no options such as FORCE_NULL.');
    return {
      do: 'copy',
      table,
      format,
      columns: names.map((name) => known.get(name) ?? { name, as: 'text', holds: 'text', isGenerated: false }),
    };
  }

  #insert(text: string, tokens: readonly SqlToken[]): SqlAction {
    const [table, after] = this.#rowsTable(tokens, 2);
    const at = tokens.findIndex((token) => isWord(token, 'VALUES'));
    if (at < 0) return run(`INSERT INTO ${quoteName(table)} ${this.#query(tokens.slice(after))}`);
    const named = isSign(tokens[after], '(')
      ? splitAtCommas(tokens.slice(after + 1, afterParentheses(tokens, after) - 1)).map(([first]) => nameOf(first))
      : null;
    const targets = targetsOf(named, this.#columnsOf(table) ?? undefined);
    const { rows, after: clause } = rowsFrom(tokens, at + 1);
    if (isWord(tokens[at - 1], 'DEFAULT')) return run(`INSERT INTO ${quoteName(table)} DEFAULT VALUES`);
    const write = (row: readonly Literal[]): readonly (string | null)[] | string => {
      const goal = targetsOfRow(targets, row.length);
      const inSql: (string | null)[] = [];
      for (const [place, value] of row.entries()) {
        const holds = goal?.[place]?.holds ?? null;
        if (holds !== 'bytes') this.#noteOdd(table, value);
        const sql = isDefault(value) ? null : valueSql(value, holds);
        if (sql === null && !isDefault(value)) return BEYOND_REAL;
        inSql.push(sql);
      }
      return inSql;
    };
    return insertAction({ rows, text, dialect: POSTGRES_VALUES, write }, (sql) =>
      insertSql(`INSERT INTO ${quoteName(table)}`, targets, sql, expression(clause)),
    );
  }

  #noteOdd(table: string, value: Literal): void {
    for (const token of value)
      if (token.kind === 'string' && !isUtf8Text(token.value)) this.#odd.set(table, (this.#odd.get(table) ?? 0) + 1);
  }

  /** `SELECT pg_catalog.setval('public.t_id_seq', 42, true)` */
  #select(text: string): SqlAction {
    const found = /\bsetval"?\s*\(\s*'([^']+)'(?:::"?regclass"?)?\s*,\s*(-?\d+)\s*(?:,\s*(true|false))?/i.exec(text);
    if (!found && /\blo_?(?:create|open|write|close|put|from_bytea)"?\s*\(/i.test(text))
      return refuse('It is a part of a large object, which SQLite does not have: its bytes are left out.');
    if (!found) return /set_config/i.test(text) ? leave(SETTINGS) : refuse('It is a query, which adds nothing.');
    const owner = this.#facts.owners.get(this.#names.unqualified(found[1]!));
    if (owner !== undefined && owner.column === this.#facts.countedKeyOf(owner.table)) {
      const value = BigInt(found[2]!) - (found[3] === 'false' ? 1n : 0n);
      const table = sqlLiteral(owner.table);
      this.#sequences.push(
        `DELETE FROM sqlite_sequence WHERE name = ${table}`,
        `INSERT INTO sqlite_sequence (name, seq) VALUES (${table}, ${value})`,
      );
    }
    return leave(SETTINGS);
  }
}

/** `INDEX i (a ASC)` and `FAMILY f (a, b)` of CockroachDB among the columns of a table. */
const isPartOfCockroach = ([first, second, open, inner]: readonly SqlToken[]): boolean =>
  isWord(first, 'INDEX', 'FAMILY') && second !== undefined && isSign(open, '(') && inner?.kind !== 'number';

interface Index {
  readonly table: string;
  /** As a word, in lower case. */
  readonly method: string;
  readonly sql: string;
}

/** @param from of what follows INDEX */
function indexOf(tokens: readonly SqlToken[], from: number, tableName: PostgresNames['tableName']): Index {
  const on = tokens.findIndex((token) => isWord(token, 'ON'));
  const skipped = isWord(tokens[from], 'CONCURRENTLY') ? from + 1 : from;
  const index = nameOf(tokens[isWord(tokens[skipped], 'IF') ? skipped + 3 : skipped]);
  const [table, after] = tableName(tokens, isWord(tokens[on + 1], 'ONLY') ? on + 2 : on + 1);
  const isUsing = isWord(tokens[after], 'USING');
  const open = isUsing ? after + 2 : after;
  const close = afterParentheses(tokens, open);
  const columns = splitAtCommas(tokens.slice(open + 1, close - 1)).map(indexedColumn);
  const where = tokens.findIndex((token, at) => at >= close && isWord(token, 'WHERE'));
  const unique = tokens.slice(0, on).some((token) => isWord(token, 'UNIQUE')) ? 'UNIQUE ' : '';
  return {
    table,
    method: isUsing ? nameOf(tokens[after + 1]).toLowerCase() : 'btree',
    sql: `CREATE ${unique}INDEX ${quoteName(index)} ON ${quoteName(table)} (${columns.join(', ')})${where < 0 ? '' : ` ${expression(tokens.slice(where))}`}`,
  };
}

/**
 * A name, a call, or an expression in parentheses, and DESC. How texts are ordered (COLLATE, classes of operators) and where NULL stands
 * changes no value, and equal texts are equal in both.
 */
function indexedColumn(tokens: readonly SqlToken[]): string {
  const name = isSign(tokens[1], '.') ? 2 : 0;
  const open = isSign(tokens[name], '(') ? name : name + 1;
  const end = isSign(tokens[open], '(') ? afterParentheses(tokens, open) : open;
  return expression(tokens.slice(0, end)) + (tokens.slice(end).some((token) => isWord(token, 'DESC')) ? ' DESC' : '');
}
