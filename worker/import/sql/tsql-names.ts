// Names of tables of a file that may hold several databases of SQL Server.
import { quoteName } from '../../sql/quote.ts';
import { DumpDatabases } from './dump-databases.ts';
import { nameOf } from './rewriting.ts';
import { isSign, isWord } from './tokens.ts';
import type { SqlToken } from './tokens.ts';

/** Tables of the schema `dbo` keep their name, those of others begin with that of the schema. */
export class TsqlNames extends DumpDatabases {
  constructor() {
    // SQL Server tells names of databases by no more than their letters.
    super((name) => name.toLowerCase());
  }

  /** `[database].[schema].[table]`, or less of it. Returns the name, and the place after it. */
  readonly tableName = (tokens: readonly SqlToken[], at: number): readonly [string, number] => {
    const names = [nameOf(tokens[at])];
    let after = at + 1;
    while (isSign(tokens[after], '.')) {
      // `database..table` leaves out the schema.
      const isEmpty = isSign(tokens[after + 1], '.');
      names.push(isEmpty ? '' : nameOf(tokens[after + 1]));
      after += isEmpty ? 1 : 2;
    }
    const [table = '', schema = '', database = this.current] = names.reverse();
    if (names.length > 2) this.hasTable(database);
    const name = /^(?:dbo)?$/i.test(schema) ? table : `${schema}_${table}`;
    return [this.prefixed(database, name), after];
  };

  /** A query with the names that its tables have here. */
  query(tokens: readonly SqlToken[]): readonly SqlToken[] {
    const result: SqlToken[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at]!;
      const isTable =
        isWord(tokens[at - 1], 'FROM', 'JOIN', 'UPDATE', 'INTO') && (token.kind === 'name' || token.kind === 'word');
      const [name, after] = isTable ? this.tableName(tokens, at) : ['', at + 1];
      const own = tokens[after - 1]!;
      if (isTable) {
        result.push(name === nameOf(own) ? own : { kind: 'sql', text: quoteName(name), value: name, at: token.at });
        at = after - 1;
      } else if (/^dbo$/i.test(nameOf(token)) && isSign(tokens[at + 1], '.')) at++;
      else result.push(token);
    }
    return result;
  }
}
