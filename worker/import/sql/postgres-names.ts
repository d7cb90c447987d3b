// Names of tables as PostgreSQL qualifies them, made into names of one schema.
import { quoteName } from '../../sql/quote.ts';
import { DumpDatabases } from './dump-databases.ts';
import { nameOf } from './rewriting.ts';
import { isSign, isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

const BEFORE_TABLE = ['FROM', 'JOIN', 'ONLY', 'UPDATE', 'INTO'];
const AFTER_TABLE = [
  'WHERE', 'JOIN', 'LEFT', 'RIGHT', 'FULL', 'INNER', 'CROSS', 'NATURAL', 'ON', 'USING', 'GROUP', 'ORDER', 'HAVING', 'LIMIT', 'OFFSET', 'UNION',
  'INTERSECT', 'EXCEPT', 'SET', 'VALUES', 'WINDOW', 'FOR',
]; // prettier-ignore

/** Tables of the schema `public` keep their name, those of others begin with that of the schema. */
export class PostgresNames extends DumpDatabases {
  /** Returns the name, and the place after it. */
  readonly tableName = (tokens: readonly SqlToken[], at: number): readonly [string, number] => {
    if (isSign(tokens[at + 1], '.')) return [this.qualified(nameOf(tokens[at]), nameOf(tokens[at + 2])), at + 3];
    return [this.qualified('public', nameOf(tokens[at])), at + 1];
  };

  qualified(schema: string, table: string): string {
    return this.made(this.#keyOf(schema, table)) ?? this.#plain(schema, table);
  }

  #plain(schema: string, table: string): string {
    return this.prefixed(this.current, schema === 'public' ? table : `${schema}_${table}`);
  }

  #keyOf = (schema: string, table: string): string => `${this.current ?? ''}\0${schema}\0${table}`;

  /** Gives a table that is made at `at` a name that no other has. */
  make(tokens: readonly SqlToken[], at: number): void {
    const isQualified = isSign(tokens[at + 1], '.');
    const [schema, table] = isQualified ? [nameOf(tokens[at]), nameOf(tokens[at + 2])] : ['public', nameOf(tokens[at])];
    this.name(this.#keyOf(schema, table), this.#plain(schema, table));
  }

  /** `public.t` in a text. */
  unqualified(name: string): string {
    const [first = '', second] = name.replaceAll('"', '').split('.');
    return second === undefined ? this.qualified('public', first) : this.qualified(first, second);
  }

  /** A query with the names that its tables have here; columns keep their qualifiers. */
  query(tokens: readonly SqlToken[]): readonly SqlToken[] {
    const result: SqlToken[] = [];
    let isInFrom = false;
    for (let at = 0; at < tokens.length; at++) {
      const before = tokens[at - 1];
      if (tokens[at]!.kind === 'word' && isWord(tokens[at], ...BEFORE_TABLE, ...AFTER_TABLE, 'SELECT'))
        isInFrom = isWord(tokens[at], ...BEFORE_TABLE);
      const isPlace = isWord(before, ...BEFORE_TABLE) || isSign(before, ',') || isSign(before, '(');
      const isTable = isInFrom && isPlace && isSign(tokens[at + 1], '.') && !isSign(tokens[at + 3], '(');
      const [name, after] = isTable ? this.tableName(tokens, at) : ['', at + 1];
      const own = nameOf(tokens[at + 2]);
      if (!isTable || name === own) {
        result.push(tokens[at]!);
        continue;
      }
      const next = tokens[after];
      const hasAlias = (next?.kind === 'word' && !isWord(next, ...AFTER_TABLE)) || next?.kind === 'name';
      const text = `${quoteName(name)}${hasAlias ? '' : ` AS ${quoteName(own)}`}`;
      result.push({ kind: 'sql', text, value: name, at: tokens[at]!.at });
      at = after - 1;
    }
    return result;
  }
}
