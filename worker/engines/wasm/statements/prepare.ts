// Prepares one statement from text in wasm memory and determines its effects.
import type { AppError } from '#shared/protocol/errors.ts';
import type { Authorizer } from './authorizer.ts';
import type { StatementFacts } from './statement-facts.ts';
import { sqliteError } from '../runtime/errors.ts';
import type { Sqlite } from '../runtime/load.ts';
import { Result, type Pointer } from '../runtime/raw.ts';
import type { HeavyGuard } from '../../heavy-guard.ts';
import { isKeyword } from '../../repeated/literals.ts';
import type { QuotedStrings } from './quoted-strings.ts';
import { skipBlank, statementText } from './sql-text.ts';

export const PREPARE_PERSISTENT = 1;
/** Modes of `sqlite3_stmt_explain`. */
const RUN = 0;
const EXPLAIN = 1;
/** Column of EXPLAIN. */
const OPCODE = 1;

export interface Prepared {
  /** 0 when there was only white space and comments. */
  readonly statement: Pointer;
  /** Start of the next statement. */
  readonly tail: Pointer;
  readonly facts: StatementFacts;
}

export interface PrepareContext {
  readonly sqlite: Sqlite;
  readonly db: Pointer;
  readonly authorizer: Authorizer;
  readonly quotedStrings: QuotedStrings;
  readonly heavyGuard: HeavyGuard;
}

/** The rows of INSERT may be long, and seldom come from a SELECT. */
function assertLight(heavyGuard: HeavyGuard, bytes: Uint8Array, first: Pointer): void {
  const isInsert = isKeyword(bytes, first, 'insert') || isKeyword(bytes, first, 'replace');
  if (!isInsert || heavyGuard.weighsInserts) heavyGuard.assertLight(statementText(bytes, first));
}

/**
 * @param sql NUL-terminated. The length is never passed, because SQLite would then copy the rest of the text for each statement of a
 *   script.
 * @param locate converts an address in the text to a UTF-16 offset, for errors
 */
export function prepareAt(
  context: PrepareContext,
  sql: Pointer,
  flags: number,
  locate: (address: Pointer) => number,
): Prepared {
  const { sqlite, db, authorizer, quotedStrings, heavyGuard } = context;
  const { raw, heap, out } = sqlite;
  const first = skipBlank(heap.bytes, sql);
  assertLight(heavyGuard, heap.bytes, first);
  const prepare = (): number => {
    authorizer.begin();
    return raw.sqlite3_prepare_v3(db, sql, -1, flags, out, out + 4);
  };
  const errorOf = (failure: number): AppError => {
    const offset = raw.sqlite3_error_offset(db);
    return sqliteError(sqlite, db, failure, {
      offset: offset < 0 ? -1 : locate(sql + offset),
      refusal: authorizer.takeRefusal(),
    });
  };
  let code = quotedStrings.whileOff(prepare);
  let error = code === 0 ? null : errorOf(code);
  if (error?.detail?.['isQuoted'] === true) {
    const retry = quotedStrings.inSchemaOnly(sql, () => (code = prepare()));
    const other = retry === null || retry === 0 ? null : errorOf(retry);
    // About the same name, the first error says more.
    if (retry === 0) error = null;
    else if (other !== null && other.detail?.['name'] !== error.detail['name']) error = other;
  }
  const statement = heap.pointerAt(out);
  const isExplain = raw.sqlite3_stmt_isexplain(statement) !== 0;
  // Among statements that write to the file, SQLite does not call the authorizer for VACUUM, and for those that turn out to do nothing (IF
  // EXISTS).
  const isUnasked = !authorizer.isAsked && !isExplain && raw.sqlite3_stmt_readonly(statement) === 0;
  const facts = authorizer.end({
    isExplain,
    isVacuum: isUnasked && isVacuum(sqlite, statement),
    isCreate: isKeyword(heap.bytes, first, 'create'),
  });
  if (error !== null) throw error;
  const tail = heap.pointerAt(out + 4);
  if (facts.definedTables.length > 0 || facts.isBeyondRows || facts.control !== null)
    heavyGuard.note(statementText(heap.bytes, first));
  return { statement, tail, facts };
}

/** Decided by the bytecode of the statement. */
function isVacuum({ raw, heap }: Sqlite, statement: Pointer): boolean {
  let isIt = false;
  raw.sqlite3_stmt_explain(statement, EXPLAIN);
  while (raw.sqlite3_step(statement) === Result.row)
    isIt ||= heap.text(raw.sqlite3_column_text(statement, OPCODE)) === 'Vacuum';
  raw.sqlite3_reset(statement);
  raw.sqlite3_stmt_explain(statement, RUN);
  return isIt;
}
