// The words of SQLite's SQL: keywords (sqlite.org/lang_keywords.html), type names; and how a name is quoted.
import { quoteName } from '#shared/ddl/names.ts';

/** All that `sqlite3_keyword_name` lists, and the words that are special only in their place. */
export const KEYWORDS =
  'abort action add after all alter always analyze and as asc attach autoincrement before begin between by cascade case cast check ' +
  'collate column commit conflict constraint create cross current current_date current_time current_timestamp database default ' +
  'deferrable deferred delete desc detach distinct do drop each else end escape except exclude exclusive exists explain fail filter ' +
  'first following for foreign from full generated glob group groups having if ignore immediate in index indexed initially inner ' +
  'insert instead intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null nulls ' +
  'of offset on or order others outer over partition plan pragma preceding primary query raise range recursive references regexp ' +
  'reindex release rename replace restrict returning right rollback row rows savepoint select set table temp temporary then ties to ' +
  'transaction trigger unbounded union unique update using vacuum values view virtual when where window with within without ' +
  'false true rowid strict stored';

export const TYPES =
  'any bigint blob boolean char date datetime decimal double float int integer json numeric real text time timestamp varchar';

const keywordSet = new Set(KEYWORDS.split(' '));

/** The name as it must be written in SQL: quoted if it is no plain identifier or SQLite might take it for a keyword. */
export function sqlName(name: string): string {
  return /^[a-z_][a-z_\d]*$/i.test(name) && !keywordSet.has(name.toLowerCase()) ? name : quoteName(name);
}

/** The name that `text`, quoted or not, stands for. */
export function nameOf(text: string): string {
  const quote = text[0];
  if (quote === '[') return text.slice(1, text.endsWith(']') ? -1 : undefined);
  if (quote !== '"' && quote !== '`') return text;
  const closed = text.length > 1 && text.endsWith(quote);
  return text.slice(1, closed ? -1 : undefined).replaceAll(quote + quote, quote);
}
