// Prepares one statement from text in wasm memory and learns what it does.
import type { Authorizer, StatementFacts, Verb } from './authorizer.ts';
import { sqliteError } from './errors.ts';
import type { Sqlite } from './load.ts';
import type { Pointer } from './raw.ts';
import { isKeyword, skipBlank } from './sql-text.ts';

export const PREPARE_PERSISTENT = 1;

const VERBS = ['create', 'vacuum', 'explain'] as const;

export interface Prepared {
  /** 0 when there was only white space and comments. */
  readonly statement: Pointer;
  /** Where the next statement begins. */
  readonly tail: Pointer;
  readonly facts: StatementFacts;
}

export interface PrepareContext {
  readonly sqlite: Sqlite;
  readonly db: Pointer;
  readonly authorizer: Authorizer;
}

/**
 * @param sql NUL-terminated. The length is never given: SQLite would copy the rest of the text for each statement of a script.
 * @param locate makes a UTF-16 place of an address in the text, for errors
 */
export function prepareAt(
  context: PrepareContext,
  sql: Pointer,
  flags: number,
  locate: (address: Pointer) => number,
): Prepared {
  const { sqlite, db, authorizer } = context;
  const { raw, heap, out } = sqlite;
  authorizer.begin();
  const code = raw.sqlite3_prepare_v3(db, sql, -1, flags, out, out + 4);
  const facts = authorizer.end(verbOf(heap.bytes, sql));
  if (code !== 0) {
    const offset = raw.sqlite3_error_offset(db);
    throw sqliteError(sqlite, db, code, {
      offset: offset < 0 ? -1 : locate(sql + offset),
      refusal: authorizer.takeRefusal(),
    });
  }
  return { statement: heap.pointerAt(out), tail: heap.pointerAt(out + 4), facts };
}

function verbOf(bytes: Uint8Array, sql: Pointer): Verb {
  const start = skipBlank(bytes, sql);
  for (const verb of VERBS) if (isKeyword(bytes, start, verb)) return verb;
  return null;
}
