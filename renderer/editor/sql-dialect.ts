// CodeMirror's SQL language with SQLite's own words.
import { SQLDialect } from '@codemirror/lang-sql';
import { FUNCTIONS, KEYWORDS, TYPES } from './sql-words.ts';

export const sqliteDialect = SQLDialect.define({
  keywords: KEYWORDS,
  types: TYPES,
  builtin: FUNCTIONS,
  operatorChars: '*+-%<>!=&|/~',
  identifierQuotes: '`"',
  specialVar: '@:?$',
});
