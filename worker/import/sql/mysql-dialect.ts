// Statements of MySQL and MariaDB, as mysqldump, phpMyAdmin and HeidiSQL write them. Keys, and values that decide a type, may come after their
// table: the file is scanned once for them.
import { quoteName } from '../../sql/quote.ts';
import { sqlLiteral } from '../../sql/literal.ts';
import { asText, asUtf8 } from './byte-text.ts';
import { withExecutedComments } from './mysql-comments.ts';
import { encodingOfCharset } from './mysql-charsets.ts';
import { hasAnsiQuotes, hasNoEscapes, withEscapes } from './mysql-modes.ts';
import { MysqlNames } from './mysql-names.ts';
import { constraintOf, indexOf, isCheck, nextOf, parsedTable, columnNames } from './mysql-tables.ts';
import type { Index, MysqlTable } from './mysql-tables.ts';
import { InsertedRows, parsedInsert, tableOfInsert, unchangedInsert, values, longPlaces } from './mysql-values.ts';
import type { MysqlText } from './mysql-values.ts';
import { caseNotes, defaultNotes, isRowidKey, nameOf, oddNotes, written } from './rewriting.ts';
import { isSign, isWord, splitAtCommas, tokensOf, type SqlToken } from './tokens.ts';
import type { DumpText, SqlAction, SqlTranslator } from './translator.ts';
import { targetsOf } from './inserted-rows.ts';

const refuse = (reason: string): SqlAction => ({ do: 'refuse', reason });
const leave = (group: string): SqlAction => ({ do: 'leave', group });

const SETTINGS = 'settings of MySQL (SET, LOCK TABLES, USE, …)';
const NO_COUNTERPART: Readonly<Record<string, string>> = {
  FUNCTION: 'SQLite has no functions that are written in SQL.',
  PROCEDURE: 'SQLite has no procedures.',
  TRIGGER: 'MySQL triggers use a language that SQLite does not have.',
  EVENT: 'SQLite has no events.',
  USER: 'SQLite has no users.',
};

export const mysqlTranslator = (text: DumpText): SqlTranslator => new Mysql(text);

const fold = (name: string): string => name.toLowerCase();

class Mysql implements SqlTranslator {
  readonly #text: MysqlText;
  readonly #hasNoEscapes: boolean;
  readonly #facts: MysqlFacts;
  readonly #existing: DumpText['existing'];
  /** Indexes are made after the rows, which is faster. */
  readonly #indexes: string[] = [];
  readonly #sequences: string[] = [];
  /** Tables whose rows SQLite counts. */
  readonly #counting = new Set<string>();
  readonly #indexNames = new Set<string>();
  /** Tables and indexes share their names in SQLite. */
  #foldedTables: ReadonlySet<string> | null = null;
  readonly #views = new Set<string>();
  /** How many texts of each table are not in the encoding of the file. */
  readonly #odd = new Map<string, number>();
  /** Tables whose geometries are texts in the file. */
  readonly #withGeometries = new Set<string>();
  readonly #names: MysqlNames;
  readonly #notes: string[] = [];
  /** Columns that lose their default, with their tables. */
  readonly #withoutDefault: string[] = [];
  /** A table or a row was read. */
  #hasBegun = false;

  constructor({ beginning, encoding, isDecodedLater, existing }: DumpText) {
    this.#existing = existing;
    this.#hasNoEscapes = hasNoEscapes(beginning);
    this.#text = {
      dialect: hasAnsiQuotes(beginning) ? 'mysql-ansi' : 'mysql',
      encoding: isDecodedLater ? encoding.toLowerCase() : 'utf-8',
      isDecoded: !isDecodedLater,
    };
    this.#facts = new MysqlFacts(this.#text);
    this.#names = this.#facts.names;
  }

  get notes(): readonly string[] {
    return [
      ...this.#notes,
      ...defaultNotes(this.#withoutDefault),
      ...this.#names.notes,
      ...[...this.#facts.long].flatMap(([table, columns]) =>
        [...columns].map(
          (column) => `“${table}.${column}” holds integers of more than 64 bits: they stay text with all their digits.`,
        ),
      ),
      ...[...this.#withGeometries].map(
        (table) => `Geometries of “${table}” are kept as the texts that the file has (WKT), not as bytes of MySQL.`,
      ),
      ...oddNotes(this.#odd, this.#text.encoding),
    ];
  }

  finish(): readonly string[] {
    return [...this.#indexes, ...this.#sequences];
  }

  see(raw: string): void {
    this.#facts.see(this.#statement(raw));
  }

  restart(): void {
    this.#names.restart();
  }

  /** The statement without what MySQL alone reads of it; the rows of an INSERT stay bytes. */
  #statement(written: string): string {
    const raw = this.#hasNoEscapes ? withEscapes(written, this.#text.dialect === 'mysql-ansi') : written;
    const text = /^(?:INSERT|REPLACE)\s/i.test(raw) ? raw : withExecutedComments(raw, this.#text.dialect);
    return /^(?:INSERT|REPLACE)\s/i.test(text) ? text : asUtf8(text, this.#text.encoding);
  }

  translate(raw: string): SqlAction {
    const text = this.#statement(raw);
    if (text === '') return leave('comments that only MySQL reads');
    const [word = '', second = ''] = (/^\(?\s*([A-Za-z]+)(?:\s+([A-Za-z]+))?/.exec(text)?.slice(1) ?? []).map((part) =>
      (part ?? '').toUpperCase(),
    );
    switch (word) {
      case 'INSERT':
      case 'REPLACE':
        return this.#insert(text);
      case 'CREATE':
        return this.#create(text);
      case 'DROP':
        return this.#drop(text, second);
      case 'ALTER':
        return this.#alter(text);
      case 'USE':
        this.#names.use(nameOf(tokensOf(text, this.#text.dialect)[1]));
        return leave(SETTINGS);
      case 'SET':
        return this.#isOtherEncoding(text)
          ? refuse('It changes the encoding in the middle of the file: texts after it may be read wrongly.')
          : leave(SETTINGS);
      case 'LOCK':
      case 'UNLOCK':
      case 'FLUSH':
      case 'ANALYZE':
      case 'OPTIMIZE':
        return leave(SETTINGS);
      case 'START':
        return { do: 'run', sql: ['BEGIN'] };
      case 'BEGIN':
      case 'COMMIT':
      case 'ROLLBACK':
        return { do: 'run', sql: [word] };
      case 'UPDATE':
      case 'DELETE':
        return { do: 'run', sql: [this.#query(tokensOf(text, this.#text.dialect))] };
      case 'TRUNCATE':
        return this.#truncate(tokensOf(text, this.#text.dialect));
      case 'GRANT':
      case 'REVOKE':
        return leave('user privileges (GRANT, REVOKE)');
      case 'SELECT':
        return refuse('It is a query, which adds nothing.');
      default:
        return refuse(`It begins with “${asText(text.slice(0, 20))}”, which is not known here.`);
    }
  }

  #truncate(tokens: readonly SqlToken[]): SqlAction {
    const [table] = this.#names.tableName(tokens, isWord(tokens[1], 'TABLE') ? 2 : 1);
    return { do: 'run', sql: [`DELETE FROM ${quoteName(table)}`] };
  }

  #isOtherEncoding(text: string): boolean {
    const charset = /^SET\s+NAMES\s+['"]?(\w+)/i.exec(text)?.[1];
    return this.#hasBegun && charset !== undefined && encodingOfCharset(charset) !== this.#text.encoding;
  }

  #create(text: string): SqlAction {
    const tokens = tokensOf(text, this.#text.dialect);
    const at = tokens.findIndex((token) =>
      isWord(token, 'TABLE', 'VIEW', 'INDEX', 'DATABASE', 'SCHEMA', ...Object.keys(NO_COUNTERPART)),
    );
    const kind = tokens[at]?.text.toUpperCase() ?? '';
    if (kind === 'TABLE') return this.#createTable(tokens, at + 1);
    if (kind === 'VIEW') return this.#createView(tokens, at + 1);
    if (kind === 'INDEX') return { do: 'run', sql: [this.#query(withoutLengths(tokens))] };
    if (kind === 'DATABASE' || kind === 'SCHEMA')
      return leave('statements that create a database: the tables go into the chosen one');
    return refuse(NO_COUNTERPART[kind] ?? 'It creates something that SQLite does not have.');
  }

  #createView(tokens: readonly SqlToken[], from: number): SqlAction {
    const [name, after] = this.#names.tableName(tokens, from);
    this.#views.add(name);
    return { do: 'run', sql: [`CREATE VIEW ${quoteName(name)} ${this.#query(tokens.slice(after).map(inSqlite))}`] };
  }

  #query(tokens: readonly SqlToken[]): string {
    return written(values(this.#names.query(tokens, (name) => this.#facts.tables.has(name) || this.#views.has(name))));
  }

  #drop(text: string, kind: string): SqlAction {
    if (kind === 'TABLE' || kind === 'VIEW')
      return { do: 'run', sql: this.#dropped(tokensOf(text, this.#text.dialect), kind) };
    if (kind === 'DATABASE' || kind === 'SCHEMA') return leave('statements that drop a database');
    return leave('statements that drop what SQLite does not have');
  }

  /** Keys and checks were made with their table, indexes follow the rows. */
  #alter(text: string): SqlAction {
    if (/\b(?:DISABLE|ENABLE)\s+KEYS\b/i.test(text)) return leave(SETTINGS);
    const tokens = tokensOf(text, this.#text.dialect);
    if (!isWord(tokens[1], 'TABLE')) return refuse('SQLite cannot change this.');
    const [table, after] = this.#names.tableName(tokens, isWord(tokens[2], 'IF') ? 4 : 2);
    const known = this.#facts.tables.get(table);
    let isUnderstood = true;
    for (const part of splitAtCommas(tokens.slice(after))) {
      const added = isWord(part[0], 'ADD') ? part.slice(1) : [];
      const isPrimary = added.slice(0, 3).some((token) => isWord(token, 'PRIMARY'));
      const isMade = known !== undefined && (isPrimary || constraintOf(added, this.#names.tableName) !== null);
      const index = isMade ? null : indexOf(added, isPrimary);
      if (index) this.#indexes.push(...this.#indexSql(table, index));
      else if (!isMade && !isWord(part[0], 'MODIFY', 'CHANGE', 'AUTO_INCREMENT', 'ENGINE', 'COMMENT'))
        isUnderstood = false;
    }
    this.#count(table, nextOf(tokens));
    return isUnderstood
      ? leave('statements that add a key, which was made with its table, or say how MySQL keeps it')
      : refuse('SQLite cannot add this to an existing table.');
  }

  #createTable(tokens: readonly SqlToken[], from: number): SqlAction {
    const table = parsedTable(tokens, from, this.#facts.long, this.#names.tableName);
    const isCopy = isWord(tokens[tokens.findIndex((token) => isSign(token, '(')) + 1], 'LIKE');
    if (isCopy) return refuse('It copies the columns of another table (LIKE).');
    if (table === null) return { do: 'run', sql: [written(tokens)] };
    this.#facts.tables.set(table.name, table);
    this.#hasBegun = true;
    const late = this.#facts.late.get(table.name);
    const lateConstraints = late?.constraints ?? [];
    const made = {
      ...table,
      constraints: [...table.constraints, ...lateConstraints.filter((constraint) => !isCheck(constraint))],
      primaryKey: table.primaryKey.length > 0 ? table.primaryKey : (late?.primaryKey ?? []),
      counts: table.counts ?? late?.counts ?? null,
    };
    if (made.counts !== null && isRowidKey(made)) this.#counting.add(table.name);
    this.#count(table.name, table.next);
    this.#notes.push(...caseNotes(table.name, table.columns));
    for (const { name, losesDefault } of table.columns)
      if (losesDefault) this.#withoutDefault.push(`${table.name}.${name}`);
    const after: string[] = [];
    // Others may refer to unique columns.
    for (const index of table.indexes)
      (index.isUnique ? after : this.#indexes).push(...this.#indexSql(table.name, index));
    return { do: 'create-table', table: made, checks: [...table.checks, ...lateConstraints.filter(isCheck)], after };
  }

  /** The number of the next row, where it is more than that of the last one. */
  #count(table: string, next: number | null): void {
    if (next === null || next < 2 || !this.#counting.has(table)) return;
    const name = sqlLiteral(table);
    this.#sequences.push(
      `INSERT INTO sqlite_sequence (name, seq) SELECT ${name}, 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ${name})`,
      `UPDATE sqlite_sequence SET seq = max(seq, ${next - 1}) WHERE name = ${name}`,
    );
  }

  #insert(text: string): SqlAction {
    this.#hasBegun = true;
    const table = tableOfInsert(text, this.#text, this.#names.tableName);
    const known = this.#facts.tables.get(table)?.columns ?? this.#existing.get(fold(table));
    const unchanged = this.#names.areKept ? unchangedInsert(text, known, this.#text.encoding) : null;
    if (unchanged !== null) return { do: 'run', sql: [unchanged] };
    const insert = parsedInsert(text, this.#text, this.#names.tableName);
    if (insert === null) return refuse('This form of INSERT is not known.');
    if (insert.after.some((token, at) => isWord(token, 'DUPLICATE') && isWord(insert.after[at + 1], 'KEY')))
      return refuse('SQLite has no ON DUPLICATE KEY UPDATE.');
    const rows = new InsertedRows(insert, known, this.#text);
    const action = rows.write();
    if (rows.odd > 0) this.#odd.set(table, (this.#odd.get(table) ?? 0) + rows.odd);
    if (rows.geometries > 0) this.#withGeometries.add(table);
    return action;
  }

  #dropped(tokens: readonly SqlToken[], kind: string): readonly string[] {
    const from = isWord(tokens[2], 'IF') ? 4 : 2;
    const names = splitAtCommas(tokens.slice(from)).map((part) => this.#names.tableName(part, 0)[0]);
    // HeidiSQL makes a table in place of each view, and drops the view that is not there yet before it drops the table.
    const dropped = kind === 'VIEW' ? names.filter((name) => !this.#standsForView(name)) : names;
    return dropped.map((name) => `DROP ${kind} IF EXISTS ${quoteName(name)}`);
  }

  #standsForView(name: string): boolean {
    return this.#facts.tables.has(name) && !this.#views.has(name);
  }

  get #tableNames(): ReadonlySet<string> {
    this.#foldedTables ??= new Set([...this.#facts.tables.keys()].map(fold));
    return this.#foldedTables;
  }

  /** Their names are those of a table in MySQL, and those of the database in SQLite. */
  #indexSql(table: string, { name, columns, isUnique, isOfExpression }: Index): readonly string[] {
    if (isOfExpression) {
      this.#notes.push(`The index “${name}” of “${table}” was left out: it is on an expression of MySQL.`);
      return [];
    }
    const isTaken = (other: string): boolean => this.#indexNames.has(fold(other)) || this.#tableNames.has(fold(other));
    let free = name === '' ? `${table}_${columns.length}` : name;
    if (name === '' || isTaken(free)) free = `${table}_${name === '' ? 'key' : name}`;
    for (let number = 2, base = free; isTaken(free); number++) free = `${base}_${number}`;
    this.#indexNames.add(fold(free));
    return [
      `CREATE ${isUnique ? 'UNIQUE ' : ''}INDEX ${quoteName(free)} ON ${quoteName(table)} (${columns.join(', ')})`,
    ];
  }
}

/** As MariaDB writes the functions upper and lower. */
const CASE_FUNCTIONS: Readonly<Record<string, string>> = { UCASE: 'upper', LCASE: 'lower' };

function inSqlite(token: SqlToken, at: number, tokens: readonly SqlToken[]): SqlToken {
  const text =
    token.kind === 'word' && isSign(tokens[at + 1], '(') ? CASE_FUNCTIONS[token.text.toUpperCase()] : undefined;
  return text === undefined ? token : { ...token, text, value: text };
}

/** `name`(10) indexes the beginning of a text: SQLite indexes the whole. */
const withoutLengths = (tokens: readonly SqlToken[]): readonly SqlToken[] =>
  tokens.filter((token, at) => {
    const isLength = (place: number): boolean =>
      isSign(tokens[place], '(') && tokens[place + 1]?.kind === 'number' && isSign(tokens[place + 2], ')');
    return !isLength(at) && !(token.kind === 'number' && isLength(at - 1)) && !(isSign(token, ')') && isLength(at - 2));
  });

// What a file of MySQL says after a table and decides how the table is made: keys, constraints, and values that need another type.

/** What statements after a table add to it. */
interface LateKey {
  primaryKey: readonly string[];
  counts: string | null;
  readonly constraints: string[];
}

const LONG_INTEGER = /\d{19}|0x0*[89a-f][\da-f]{15}/i;

/** Names of tables are those of the new database. */
class MysqlFacts {
  readonly tables = new Map<string, MysqlTable>();
  readonly late = new Map<string, LateKey>();
  /** Columns with values that need more than 64 bits, by table. */
  readonly long = new Map<string, Set<string>>();
  readonly #text: MysqlText;
  readonly names = new MysqlNames();
  #hasLongBits = false;

  constructor(text: MysqlText) {
    this.#text = text;
  }

  /** @param text a statement; the rows of an INSERT are bytes */
  see(text: string): void {
    if (/^(?:INSERT|REPLACE|DROP\s+TABLE)\s/i.test(text)) this.names.hasTable();
    if (/^USE\s/i.test(text)) this.names.use(nameOf(tokensOf(text, this.#text.dialect)[1]));
    else if (/^CREATE\s+(?:TEMPORARY\s+)?TABLE\b/i.test(text)) this.#seeTable(text);
    else if (/^ALTER\s+TABLE\b/i.test(text)) this.#seeAlter(tokensOf(text, this.#text.dialect));
    else if (/^(?:INSERT|REPLACE)\s/i.test(text) && (this.#hasLongBits || LONG_INTEGER.test(text)))
      this.#seeInsert(text);
  }

  #seeTable(text: string): void {
    this.#hasLongBits ||= /\bbit\s*\(\s*64\b/i.test(text);
    const tokens = tokensOf(text, this.#text.dialect);
    const from = tokens.findIndex((token) => isWord(token, 'TABLE')) + 1;
    this.names.make(tokens, isWord(tokens[from], 'IF') ? from + 3 : from);
    const table = parsedTable(tokens, from, this.long, this.names.tableName);
    if (table === null) return;
    this.tables.set(table.name, table);
  }

  #seeInsert(text: string): void {
    const insert = parsedInsert(text, this.#text, this.names.tableName);
    const columns = insert && this.tables.get(insert.table)?.columns;
    if (!insert || !columns) return;
    const targets = targetsOf(insert.named, columns);
    for (const place of longPlaces(insert, targets)) {
      const long = this.long.get(insert.table) ?? new Set();
      this.long.set(insert.table, long.add(targets![place]!.name));
    }
  }

  #seeAlter(tokens: readonly SqlToken[]): void {
    const [table, after] = this.names.tableName(tokens, isWord(tokens[2], 'IF') ? 4 : 2);
    const key = this.late.get(table) ?? { primaryKey: [], counts: null, constraints: [] };
    this.late.set(table, key);
    for (const part of splitAtCommas(tokens.slice(after))) {
      const constraint = isWord(part[0], 'ADD') ? constraintOf(part.slice(1), this.names.tableName) : null;
      if (constraint !== null) key.constraints.push(constraint);
      if (isWord(part[0], 'ADD') && part.slice(1, 4).some((token) => isWord(token, 'PRIMARY')))
        key.primaryKey = columnNames(part);
      if (isWord(part[0], 'MODIFY', 'CHANGE') && part.some((token) => isWord(token, 'AUTO_INCREMENT')))
        key.counts = nameOf(part[isWord(part[1], 'COLUMN') ? 2 : 1]);
    }
  }
}
