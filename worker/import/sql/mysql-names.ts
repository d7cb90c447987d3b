// Names of tables of a file that may hold several databases of MySQL.
import { quoteName } from '../../sql/quote.ts';
import { DumpDatabases } from './dump-databases.ts';
import { nameOf } from './rewriting.ts';
import { isSign, isWord, type SqlToken } from './tokens.ts';

/** `db`.`table` or `table`. Returns the name, and the place after it. */
export type TableName = (tokens: readonly SqlToken[], at: number) => readonly [string, number];

/** Names are given to tables where they are made, the first time the file is read. */
export class MysqlNames extends DumpDatabases {
  /** Names by those in lower case, for a server that does not tell cases apart. */
  readonly #foldedMade = new Map<string, string>();

  /** Gives a table that is made at `at` a name that no other has, as SQLite tells names apart. */
  make(tokens: readonly SqlToken[], at: number): void {
    const [, after] = this.tableName(tokens, at);
    const isQualified = after > at + 1;
    const database = isQualified ? nameOf(tokens[at]) : this.current;
    const table = nameOf(tokens[after - 1]);
    const key = keyOf(database, table);
    const name = this.name(key, this.prefixed(database, table));
    if (!this.#foldedMade.has(key.toLowerCase())) this.#foldedMade.set(key.toLowerCase(), name);
  }

  readonly tableName: TableName = (tokens, at) => {
    if (!isSign(tokens[at + 1], '.')) {
      this.hasTable();
      return [this.#in(this.current, nameOf(tokens[at])), at + 1];
    }
    const database = nameOf(tokens[at]);
    this.hasTable(database);
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
    if (isSign(next, '.') && this.hasDatabase(name)) return [this.#in(name, nameOf(tokens[at + 2])), 3];
    const isPlace =
      isSign(next, '.') ||
      isSign(before, '(') ||
      isSign(before, ',') ||
      isWord(before, 'FROM', 'JOIN', 'UPDATE', 'INTO', 'ON');
    return !this.isFirst(this.current) && isPlace ? [this.#in(this.current, name), 1] : none;
  }

  #in(database: string | null, table: string): string {
    const key = keyOf(database, table);
    return this.made(key) ?? this.#foldedMade.get(key.toLowerCase()) ?? this.prefixed(database, table);
  }
}

const keyOf = (database: string | null, table: string): string => `${database ?? ''}\0${table}`;
