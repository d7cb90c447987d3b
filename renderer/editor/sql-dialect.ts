// CodeMirror's SQL language with SQLite's own words.
import { SQLDialect } from '@codemirror/lang-sql';
import { FUNCTIONS } from './sql-functions.ts';
import { KEYWORDS, TYPES } from './sql-keywords.ts';

export const sqliteDialect = SQLDialect.define({
  keywords: KEYWORDS,
  types: TYPES,
  builtin: FUNCTIONS.map(({ name }) => name).join(' '),
  operatorChars: '*+-%<>!=&|/~',
  identifierQuotes: '`"',
  specialVar: '@:?$',
});
