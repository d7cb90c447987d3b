// CREATE TABLE and CREATE INDEX that SQLite can prepare, run, and free in one call. A dump of many tables is little else, and better-sqlite3 frees a
// prepared statement only once it is garbage: each change of the schema goes through all that are left.
import { readStatement } from './statement-shape.ts';
import type { StatementShape } from './statement-shape.ts';

export interface Definition {
  readonly sql: string;
  readonly shape: StatementShape;
}

const CREATE = /^\s*CREATE\s+(?:TABLE|(?:UNIQUE\s+)?INDEX)\b/i;
/** A table that is made of a query may take long. */
const AS = /\bAS\b/i;

/**
 * Whether SQLite, too, sees one statement in the text, wherever it sees the ends of quotes and comments: a call that runs all statements of a text
 * runs this one.
 */
export function isOneStatement(sql: string): boolean {
  const semicolon = sql.indexOf(';');
  return !sql.includes('\0') && (semicolon < 0 || sql.slice(semicolon + 1).trim() === '');
}

/** Null for any other text. */
export function definitionOf(sql: string): Definition | null {
  if (!CREATE.test(sql) || AS.test(sql) || !isOneStatement(sql)) return null;
  const shape = readStatement(sql);
  return shape === null || shape.parameters.length > 0 ? null : { sql: sql.slice(shape.from, shape.to), shape };
}
