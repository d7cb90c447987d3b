// Which errors are the fault of one statement of a file, and which statements are not run at all.
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import { AppError, toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { LeftStatement } from '#shared/protocol/transfer.ts';
import { asText } from '../import/sql/byte-text.ts';

/** A table of SQLite through which a statement could write the pages of the file themselves (sqlite.org/dbpage.html). */
const PAGES = 'sqlite_dbpage';

export const WRITES_PAGES = 'It would write the pages of the file themselves, which could damage the database.';

/**
 * Whether a statement names what would let it damage the database. A scratch database is not in defensive mode, which would forbid that, because
 * dumps write the shadow tables of virtual ones.
 */
export function writesPages(sql: string): boolean {
  if (!/sqlite_dbpage/i.test(sql)) return false;
  const scanner = new SqlScanner(sql);
  while (scanner.next() !== Token.end) {
    const { text } = scanner;
    const bare = /^["'`[]/.test(text) ? text.slice(1, -1) : text;
    if (bare.toLowerCase() === PAGES) return true;
  }
  return false;
}

/** The fault of one statement, after which the others continue. */
const OF_THE_STATEMENT: ReadonlySet<string> = new Set([
  'sql', 'constraint', 'invalid', 'unavailable', 'too-big', 'exists',
]); // prettier-ignore

/** SQLITE_CORRUPT_VTAB: what a virtual table keeps its content in does not fit, as when its rows come before that. */
const CORRUPT_VIRTUAL_TABLE = 267;

/** @throws anything that is not the fault of the statement */
export function ofStatement(thrown: unknown): AppError {
  const error = toAppError(thrown);
  if (error.sqlite?.extended === CORRUPT_VIRTUAL_TABLE)
    return AppError.invalid('The tables in which this virtual table keeps its content do not fit it.');
  if (OF_THE_STATEMENT.has(error.code)) return error;
  throw thrown;
}

export function tookEverythingBack(line: number, cause: AppError): AppError {
  return AppError.invalid(
    `The statement on line ${line} failed and rolled back everything since the last COMMIT (${whatHappened(cause)}). Nothing was imported.`,
  );
}

// Report on a file of SQL: statements that could not be run, with their lines, and notes about the others.

const MAX_KEPT = 1000;
const SHOWN_CHARACTERS = 400;

export class DumpReport {
  readonly notUnderstood: LeftStatement[] = [];
  notUnderstoodCount = 0;
  /** How many statements of each group were not needed. */
  readonly #left = new Map<string, number>();
  readonly #notes: string[] = [];

  /** @param translated about changes that the translation made */
  notes(translated: readonly string[]): readonly string[] {
    const left = [...this.#left].map(
      ([group, count]) => `Not needed, so not run: ${group} (${count.toLocaleString('en-US')}).`,
    );
    return [...this.#notes, ...translated, ...left];
  }

  add(note: string): void {
    this.#notes.push(note);
  }

  leave(group: string): void {
    this.#left.set(group, (this.#left.get(group) ?? 0) + 1);
  }

  /** @param text made of bytes, as in the file */
  note(line: number, reason: string, text: string): void {
    this.noteDecoded(line, reason, asText(text.slice(0, SHOWN_CHARACTERS)), text.length > SHOWN_CHARACTERS);
  }

  /** @param text as SQLite was given it */
  noteDecoded(line: number, reason: string, text: string, isLonger = text.length > SHOWN_CHARACTERS): void {
    this.notUnderstoodCount++;
    if (this.notUnderstood.length >= MAX_KEPT) return;
    const shown = text.slice(0, SHOWN_CHARACTERS).trim();
    this.notUnderstood.push({ line, reason, text: isLonger ? `${shown}…` : shown });
  }
}
