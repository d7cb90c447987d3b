// What a file of MySQL says after a table and decides how the table is made: keys, constraints, and values that need another type.
import { targetsOf } from './inserted-rows.ts';
import { MysqlNames } from './mysql-names.ts';
import { columnNames, constraintOf, parsedTable } from './mysql-tables.ts';
import type { MysqlTable } from './mysql-tables.ts';
import { longPlaces, parsedInsert } from './mysql-values.ts';
import type { MysqlText } from './mysql-values.ts';
import { nameOf } from './rewriting.ts';
import { isWord, splitAtCommas, tokensOf } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** What statements after a table add to it. */
interface LateKey {
  primaryKey: readonly string[];
  counts: string | null;
  readonly constraints: string[];
}

const LONG_INTEGER = /\d{19}|0x0*[89a-f][\da-f]{15}/i;

/** Names of tables are those of the new database. */
export class MysqlFacts {
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
