// Names of tables of a file that may hold several databases of MySQL.
import { quoteName } from '../../sql/quote.ts';
import { nameOf } from './rewriting.ts';
import { isSign, isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** `db`.`table` or `table`. Returns the name, and the place after it. */
export type TableName = (tokens: readonly SqlToken[], at: number) => readonly [string, number];

/**
 * Tables of the first database with tables keep their names, those of others begin with that of the database. The file is read twice: names are
 * given to tables where they are made, the first time.
 */
export class MysqlNames {
  /** '': tables came before any database was named. */
  #first: string | null = null;
  #current: string | null = null;
  #hasUnnamed = false;
  /** Databases after the first. */
  readonly others = new Set<string>();
  /** Names of tables by their database and name, as written, and in lower case for those of a server that does not tell cases apart. */
  readonly #made = new Map<string, string>();
  readonly #foldedMade = new Map<string, string>();
  readonly #taken = new Set<string>();
  /** Tables whose name another one has: whole sentences. */
  readonly notes: string[] = [];

  use(database: string): void {
    if (this.#first === null && this.#hasUnnamed) this.#first = '';
    this.#current = database;
  }

  /** Begins again with the first statement of the file. */
  restart(): void {
    this.#current = null;
  }

  /** A table of the current database is filled or dropped. */
  hasTable(): void {
    if (this.#current === null) this.#hasUnnamed = true;
    else this.#add(this.#current);
  }

  /** Gives a table that is made at `at` a name that no other has, as SQLite tells names apart. */
  make(tokens: readonly SqlToken[], at: number): void {
    const [, after] = this.tableName(tokens, at);
    const isQualified = after > at + 1;
    const database = isQualified ? nameOf(tokens[at]) : this.#current;
    const table = nameOf(tokens[after - 1]);
    const key = keyOf(database, table);
    if (this.#made.has(key)) return;
    const base = this.#in(database, table, false);
    let free = base;
    for (let number = 2; this.#taken.has(free.toLowerCase()); number++) free = `${base}_${number}`;
    if (free !== base)
      this.notes.push(`The table “${base}” is named “${free}”: another one has its name, maybe in another case.`);
    this.#taken.add(free.toLowerCase());
    this.#made.set(key, free);
    if (!this.#foldedMade.has(key.toLowerCase())) this.#foldedMade.set(key.toLowerCase(), free);
  }

  readonly tableName: TableName = (tokens, at) => {
    if (!isSign(tokens[at + 1], '.')) {
      this.hasTable();
      return [this.#in(this.#current, nameOf(tokens[at])), at + 1];
    }
    const database = nameOf(tokens[at]);
    this.#add(database);
    return [this.#in(database, nameOf(tokens[at + 2])), at + 3];
  };

  /** A query with the names that its tables have here. @param isTable says whether there is a table or view of that name */
  query(tokens: readonly SqlToken[], isTable: (name: string) => boolean): readonly SqlToken[] {
    const result: SqlToken[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!;
      const [name, length] = this.#nameInQuery(tokens, at);
      const isKnown = name !== null && isTable(name);
      result.push(isKnown ? { kind: 'sql', text: quoteName(name), value: name, at: token.at } : token);
      if (isKnown) at += length - 1;
    }
    return result;
  }

  /** `db`.`table`, or a name that stands where tables do. */
  #nameInQuery(tokens: readonly SqlToken[], at: number): readonly [string | null, number] {
    const [before, token, next] = [tokens[at - 1], tokens[at]!, tokens[at + 1]];
    const none = [null, 1] as const;
    if ((token.kind !== 'name' && token.kind !== 'word') || isSign(before, '.')) return none;
    const name = nameOf(token);
    const isDatabase = name === this.#first || this.others.has(name);
    if (isSign(next, '.') && isDatabase) return [this.#in(name, nameOf(tokens[at + 2])), 3];
    const isPlace =
      isSign(next, '.') ||
      isSign(before, '(') ||
      isSign(before, ',') ||
      isWord(before, 'FROM', 'JOIN', 'UPDATE', 'INTO', 'ON');
    return this.#current !== this.#first && isPlace ? [this.#in(this.#current, name), 1] : none;
  }

  #add(database: string): void {
    this.#first ??= database;
    if (database !== this.#first) this.others.add(database);
  }

  #in(database: string | null, table: string, isMade = true): string {
    const key = keyOf(database, table);
    const made = isMade ? (this.#made.get(key) ?? this.#foldedMade.get(key.toLowerCase())) : undefined;
    return made ?? (database === null || database === this.#first ? table : `${database}_${table}`);
  }
}

const keyOf = (database: string | null, table: string): string => `${database ?? ''}\0${table}`;
