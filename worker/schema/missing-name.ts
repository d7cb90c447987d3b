// A name that SQLite does not find: its position in the text, and which one was probably meant.
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import { blameObject } from '../engines/blamed-object.ts';
import type { Connection } from '../engines/engine.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import type { TextRange } from '#shared/split-statements.ts';

/** Each kind of missing name gets only suggestions of that kind; names of other objects would not help the user. */
const NAMES: Readonly<Record<string, string>> = {
  table: `SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
    UNION SELECT name FROM temp.sqlite_schema WHERE type IN ('table', 'view')`,
  column: `SELECT DISTINCT c.name FROM main.sqlite_schema t JOIN temp.pragma_table_xinfo(t.name) c
    WHERE t.type = 'table' AND t.rootpage > 0 AND c.hidden <> 1`,
  function: 'SELECT DISTINCT name FROM temp.pragma_function_list',
};
/** A schema with more names gets no suggestions: comparing them all would block other work. */
const MAX_NAMES = 20_000;
/** The first of more are asked, because each is prepared. */
const MAX_VIEWS = 500;

/**
 * Adds the offset to the error, which SQLite reports for columns but not for tables, and a suggestion. Returns any other error unchanged.
 *
 * @param sql what the error's offset counts in
 * @param failed the statement in it that failed; null when that is not known
 */
export function explainMissing(
  connection: Connection,
  thrown: AppError,
  sql: string,
  failed: TextRange | null,
): AppError {
  const error = toAppError(blameObject(connection, thrown, failed ? sql.slice(failed.from, failed.to) : sql));
  const { missing, name } = error.detail ?? {};
  if (typeof missing !== 'string' || typeof name !== 'string' || !error.sqlite) return error;
  const known = error.sqlite.offset;
  const offset = known >= 0 || !failed ? known : placeIn(sql, failed, name);
  const meant = closest(name, namesLike(connection, missing));
  const message = meant === null ? error.message : `${error.message} Did you mean “${meant}”?`;
  return new AppError({ code: error.code, message, sqlite: { ...error.sqlite, offset }, detail: error.detail! });
}

/** The last of several: a column before it may be named like the table that is missing. */
function placeIn(sql: string, { from, to }: TextRange, name: string): number {
  const wanted = name.toLowerCase();
  const scanner = new SqlScanner(sql, from);
  let index = -1;
  while (scanner.next() !== Token.end && scanner.from < to) {
    const isName = scanner.kind === Token.word || scanner.kind === Token.quoted;
    if (isName && scanner.name.toLowerCase() === wanted) index = scanner.from;
  }
  return index;
}

function namesLike(connection: Connection, missing: string): string[] {
  try {
    const query = NAMES[missing];
    if (query === undefined) return [];
    const names = connection.all(`${query} LIMIT ${MAX_NAMES}`).map(([name]) => String(name));
    return missing === 'column' ? [...names, ...columnsOfViews(connection)] : names;
  } catch {
    return []; // In a damaged schema nothing can be suggested; the error itself is what counts.
  }
}

/** Columns of views and virtual tables. One that cannot be used has none. */
function columnsOfViews(connection: Connection): string[] {
  const views = connection.all(
    "SELECT name FROM main.sqlite_schema WHERE type = 'view' OR type = 'table' AND rootpage = 0 LIMIT ?",
    [MAX_VIEWS],
  );
  return views.flatMap((view) => {
    try {
      return connection.all('SELECT name FROM temp.pragma_table_info(?)', view).map(([name]) => String(name));
    } catch {
      return [];
    }
  });
}

/** The name with the fewest edits, where they are few for its length; null when none is close. */
export function closest(name: string, names: readonly string[]): string | null {
  const wanted = name.toLowerCase();
  let most = Math.max(1, Math.floor(wanted.length / 3));
  let best: string | null = null;
  for (const candidate of names) {
    if (Math.abs(candidate.length - wanted.length) > most) continue;
    const edits = editDistance(wanted, candidate.toLowerCase());
    if (edits > most || edits === 0) continue;
    best = candidate;
    most = edits - 1;
  }
  return best;
}

/** Insertions, deletions, replacements, and swaps of two neighbors (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      let edits = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before[j - 2]! + 1);
      next.push(edits);
    }
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
