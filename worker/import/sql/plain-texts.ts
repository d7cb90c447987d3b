// The texts between the quotes of a MySQL statement, written for SQLite in one pass: most of a dump is texts, and nothing else in it has to be
// rewritten.
import { exactUtf8 } from './byte-text.ts';
import { literalOf } from './rewriting.ts';
import { mysqlTextAt } from './tokens.ts';

interface PlainTexts {
  readonly sql: string;
  /** What stands around the texts, with `''` for each. */
  readonly around: string;
}

/** What begins a comment or another quote, in which an apostrophe begins no text. */
const OTHER = /["`#]|--|\/\*/;
/** An apostrophe in a name would end it, and leave its first quote. */
const NAME = /`[\w$ ]*`/g;
const NEEDS_WRITING = /[\\\0\x80-\xff]/;

/** Null where texts cannot be told from the rest, or one of them is not in the encoding. */
export function plainTexts(text: string, encoding: string): PlainTexts | null {
  const sql: string[] = [];
  const around: string[] = [];
  let from = 0;
  for (let open = text.indexOf("'"); open >= 0; open = text.indexOf("'", from)) {
    const { text: raw, value } = mysqlTextAt(text, open);
    const needsWriting = NEEDS_WRITING.test(raw);
    const written = needsWriting ? exactUtf8(value, encoding) : value;
    // A text at the very end may have none itself.
    if (open + raw.length === text.length || written === null) return null;
    const before = text.slice(from, open);
    around.push(before);
    sql.push(before, needsWriting ? literalOf(written) : raw);
    from = open + raw.length;
  }
  const rest = text.slice(from);
  const outside = [...around, rest].join("''");
  return OTHER.test(outside.replace(NAME, '')) ? null : { sql: sql.join('') + rest, around: outside };
}
