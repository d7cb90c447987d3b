// Names of tables of a file that may hold several databases of MySQL.
import { quoteName } from '../../sql/quote.ts';
import { nameOf } from './rewriting.ts';
import { isSign, isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** `db`.`table` or `table`. Returns the name, and the place after it. */
export type TableName = (tokens: readonly SqlToken[], at: number) => readonly [string, number];

/** Tables of the first database keep their names, those of others begin with that of the database. */
export class MysqlNames {
  #first: string | null = null;
  #current: string | null = null;
  /** Databases after the first. */
  readonly others = new Set<string>();

  use(database: string): void {
    this.#add(database);
    this.#current = database;
  }

  readonly tableName: TableName = (tokens, at) => {
    if (!isSign(tokens[at + 1], '.')) return [this.#in(this.#current, nameOf(tokens[at])), at + 1];
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

  #in(database: string | null, table: string): string {
    return database === null || database === this.#first ? table : `${database}_${table}`;
  }
}
