// Cuts a long INSERT of many rows between its rows, so that SQLite compiles and runs some of them at a time.

/** SQLite compiles and inserts so much in about 3 ms (2 to 19 ms, in memory, with one index). */
const PIECE_CHARACTERS = 64 * 1024;
/** FAIL and ROLLBACK keep some of the rows, or undo more than them. */
const HEAD = /^\s*(?:INSERT(?:\s+OR\s+(?:REPLACE|IGNORE))?|REPLACE)\s+INTO\s/i;
const HEAD_CHARACTERS = 1000;
/** What may follow the rows. Most clauses say something about all rows together, as UNION does, or may read what is in the table. */
const OF_EACH_ROW = /^(?:ON CONFLICT ?(?:\([^()]*\) ?)?DO NOTHING ?)?;?$/i;
/** A row with one of these may ask about the rows before it, which SQLite answers for the statement as a whole. */
const ASKING = new Set(['SELECT', 'CHANGES', 'TOTAL_CHANGES', 'LAST_INSERT_ROWID']);
const WORD = /[\w$\x80-\uffff]+/y;
const LONGEST_WORD = 20;

export interface RowPieces {
  /** Up to and including VALUES. */
  readonly head: string;
  readonly rows: readonly string[];
  /** What follows the last row, and belongs to each of them. */
  readonly clause: string;
}

/** Null: the statement is short, or has to be run as a whole. @param longest of what is short, in UTF-16 code units */
export function rowPieces(sql: string, longest = PIECE_CHARACTERS): RowPieces | null {
  if (sql.length <= longest || !HEAD.test(sql.slice(0, HEAD_CHARACTERS))) return null;
  const rows: string[] = [];
  let head = '';
  let depth = 0;
  let from = 0;
  let rowEnd = -1;
  let at = 0;
  while (at < sql.length) {
    const sign = sql[at]!;
    const word = wordAt(sql, at);
    if (word !== '') {
      const name = word.length > LONGEST_WORD ? '' : word.toUpperCase();
      if (ASKING.has(name)) return null;
      if (head !== '' && depth === 0) break;
      at += word.length;
      if (name !== 'VALUES' || depth > 0) continue;
      head = sql.slice(0, at);
      from = at;
      continue;
    }
    const end = endOfPart(sql, at, sign);
    if (end < 0) return null;
    at = end;
    if (sign === '(') depth++;
    else if (sign === ')' && --depth === 0 && head !== '') rowEnd = at;
    else if (sign === ',' && depth === 0 && rowEnd - from >= PIECE_CHARACTERS) {
      rows.push(sql.slice(from, rowEnd));
      from = at;
    }
  }
  if (depth !== 0 || rowEnd <= from || !OF_EACH_ROW.test(withoutBlanks(sql.slice(rowEnd)))) return null;
  return { head, rows: [...rows, sql.slice(from, rowEnd)], clause: sql.slice(rowEnd) };
}

/** Keeps one blank where there are any between words. */
export const withoutBlanks = (clause: string): string => clause.replace(/[\t\n\f\r ]+/g, ' ').replace(/^ | $/g, '');

function wordAt(sql: string, at: number): string {
  WORD.lastIndex = at;
  return WORD.exec(sql)?.[0] ?? '';
}

/** Where what begins at `at` ends: a text or a name in quotes, a comment, or one sign. -1: it has no end. */
function endOfPart(sql: string, at: number, sign: string): number {
  if (sign === '[') return afterMark(sql, ']', at);
  if (sign === '-' && sql[at + 1] === '-') return afterMark(sql, '\n', at);
  if (sign === '/' && sql[at + 1] === '*') return afterMark(sql, '*/', at + 2);
  if (sign !== "'" && sign !== '"' && sign !== '`') return at + 1;
  for (let end = sql.indexOf(sign, at + 1); end >= 0; end = sql.indexOf(sign, end + 2))
    if (sql[end + 1] !== sign) return end + 1;
  return -1;
}

function afterMark(sql: string, mark: string, from: number): number {
  const at = sql.indexOf(mark, from);
  return at < 0 ? -1 : at + mark.length;
}
