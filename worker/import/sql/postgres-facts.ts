// What a file of PostgreSQL says after a table and decides how the table is made: keys, constraints, counters, partitions, and databases.
import { constraintOf, isNextValue, PostgresNames } from './postgres-columns.ts';
import { nameOf, written } from './rewriting.ts';
import { isSign, isWord, tokensOf, type SqlToken } from './tokens.ts';

export interface Known {
  primaryKey: readonly string[];
  readonly constraints: string[];
  readonly checks: string[];
  /** Columns that a sequence counts. */
  readonly counting: Set<string>;
}

export interface Owner {
  readonly table: string;
  readonly column: string;
}

/** `\connect database` or `\c database` */
const CONNECT = /^\\c(?:onnect)?\s+(?:-reuse-previous=\w+\s+)?["']?(?:dbname=')?([^"'\s]+)/;

export class PostgresFacts {
  readonly names = new PostgresNames();
  readonly known = new Map<string, Known>();
  /** Maps each sequence to the column it counts for. */
  readonly owners = new Map<string, Owner>();
  /** Types that stand behind domains, by the names of these. */
  readonly domains = new Map<string, string>();
  /** Maps each partition to its table. */
  readonly #partitions = new Map<string, string>();

  /** @param text a statement, or a command of psql */
  see(text: string): void {
    if (this.connects(text)) return;
    if (/^CREATE\s+(?:UNLOGGED\s+)?TABLE\b/i.test(text)) this.#seeTable(text);
    else if (/^CREATE\s+DOMAIN\b/i.test(text)) this.#seeDomain(tokensOf(text, 'postgresql'));
    else if (/^ALTER\s+TABLE\b/i.test(text)) this.#seeAlter(tokensOf(text, 'postgresql'));
    else if (/^ALTER\s+SEQUENCE\b/i.test(text)) this.#seeSequence(tokensOf(text, 'postgresql'));
  }

  /** Follows a command that changes the database. */
  connects(text: string): boolean {
    const database = text.startsWith('\\') ? CONNECT.exec(text)?.[1] : undefined;
    // With a minus sign another user goes on in the same one.
    if (database !== undefined && database !== '-') this.names.use(database);
    return database !== undefined;
  }

  /** The table whose rows a partition holds; null for a table of its own. */
  wholeOf(table: string): string | null {
    let whole = this.#partitions.get(table);
    // Partitions of partitions; in a damaged file they may form a ring.
    for (let depth = 0; depth < 20 && whole !== undefined && this.#partitions.has(whole); depth++)
      whole = this.#partitions.get(whole);
    return whole ?? null;
  }

  #seeTable(text: string): void {
    this.names.hasTable();
    const tokens = tokensOf(text, 'postgresql');
    const table = tokens.findIndex((token) => isWord(token, 'TABLE')) + 1;
    const at = isWord(tokens[table], 'IF') ? table + 3 : table;
    this.names.make(tokens, at);
    const [name, after] = this.names.tableName(tokens, at);
    if (isWord(tokens[after], 'PARTITION')) this.#partitions.set(name, this.names.tableName(tokens, after + 2)[0]);
  }

  /** `CREATE DOMAIN public.positive AS integer CONSTRAINT …` */
  #seeDomain(tokens: readonly SqlToken[]): void {
    const as = tokens.findIndex((token) => isWord(token, 'AS'));
    const from = as < 0 ? (isSign(tokens[3], '.') ? 5 : 3) : as + 1;
    const rest = tokens.slice(from);
    const end = rest.findIndex((token) => isWord(token, 'CONSTRAINT', 'CHECK', 'NOT', 'NULL', 'DEFAULT', 'COLLATE'));
    const name = isSign(tokens[3], '.') ? tokens[4] : tokens[2];
    this.domains.set(nameOf(name).toLowerCase(), written(end < 0 ? rest : rest.slice(0, end)));
  }

  #seeAlter(tokens: readonly SqlToken[]): void {
    const from = isWord(tokens[2], 'ONLY') ? 3 : 2;
    const [table, after] = this.names.tableName(tokens, isWord(tokens[from], 'IF') ? from + 2 : from);
    const known = this.of(table);
    const rest = tokens.slice(after);
    if (isWord(rest[0], 'ADD')) {
      const constraint = constraintOf(rest.slice(1), this.names.tableName);
      if (constraint?.primaryKey) known.primaryKey = constraint.primaryKey;
      else if (constraint) (constraint.isCheck ? known.checks : known.constraints).push(constraint.sql);
    }
    if (isWord(rest[0], 'ATTACH')) this.#partitions.set(this.names.tableName(rest, 2)[0], table);
    const isIdentity = rest.some((token) => isWord(token, 'IDENTITY'));
    if (isWord(rest[0], 'ALTER') && (isIdentity || isNextValue(rest))) {
      const owner = { table, column: nameOf(rest[isWord(rest[1], 'COLUMN') ? 2 : 1]) };
      known.counting.add(owner.column);
      const sequence = rest.findIndex((token) => isWord(token, 'NAME'));
      if (sequence >= 0) this.owners.set(this.names.tableName(rest, sequence + 1)[0], owner);
      const next = rest.find((token) => token.kind === 'string');
      if (next) this.owners.set(this.names.unqualified(next.value), owner);
    }
  }

  #seeSequence(tokens: readonly SqlToken[]): void {
    const owned = tokens.findIndex((token) => isWord(token, 'OWNED'));
    if (owned < 0) return;
    // OWNED BY schema.table.column
    const names = tokens.slice(owned + 2).filter(({ kind }) => kind !== 'sign');
    const table = names.at(-2);
    if (table)
      this.owners.set(this.names.tableName(tokens, 2)[0], {
        table: this.names.qualified(names.length > 2 ? nameOf(names[0]) : 'public', nameOf(table)),
        column: nameOf(names.at(-1)),
      });
  }

  /** The key that SQLite counts. */
  countedKeyOf(table: string): string | null {
    const { primaryKey, counting } = this.of(table);
    return primaryKey.length === 1 && counting.has(primaryKey[0]!) ? primaryKey[0]! : null;
  }

  of(table: string): Known {
    const known = this.known.get(table) ?? { primaryKey: [], constraints: [], checks: [], counting: new Set<string>() };
    this.known.set(table, known);
    return known;
  }
}
