// Registers functions on text that better-sqlite3 lacks with its connections: `regexp`, which is behind REGEXP, and `replace_nocase`.
import { AppError } from '#shared/protocol/errors.ts';
import { RegularExpressions } from '#shared/regular-expressions/regular-expressions.ts';
import { replaceInAnyCase } from '#shared/replace-in-any-case.ts';
import type { Database, DatabaseConstructor, PreparedStatement } from '../runtime/load.ts';
import type { Pulse } from '../runtime/pulse.ts';
import type { NativeValue } from './binding.ts';

const OPTIONS = { deterministic: true, directOnly: true, safeIntegers: true } as const;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Not available to schemas, as in the wasm engine. An error thrown here ends the statement. */
export function registerTextFunctions(db: Database, pulse: Pulse): void {
  const expressions = new RegularExpressions();
  const tick = (): void => pulse.beat();
  const realText = realTextOf(db);
  db.function('regexp', OPTIONS, (pattern: NativeValue, value: NativeValue) => {
    const [source, text] = [textOf(pattern, realText), textOf(value, realText)];
    if (source === null || text === null) return null;
    // A scan that returns no row is stopped here.
    pulse.beat();
    return asInStatement(() => (expressions.test(source, text, tick) ? 1n : 0n));
  });
  db.function('replace_nocase', OPTIONS, (value: NativeValue, wanted: NativeValue, other: NativeValue) => {
    const [text, find, replacement] = [textOf(value, realText), textOf(wanted, realText), textOf(other, realText)];
    if (text === null || find === null || replacement === null) return null;
    pulse.beat();
    return asInStatement(() => replaceInAnyCase(text, find, replacement, tick));
  });
}

function asInStatement<T>(answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    throw error instanceof AppError && error.code === 'invalid' ? inStatement(error) : error;
  }
}

/** The error as SQLite reports it for its own functions. */
const inStatement = ({ message }: AppError): AppError =>
  AppError.sql(message, { sqlite: { result: 1, extended: 1, offset: -1 } });

/**
 * Formats reals as SQLite does, which no JavaScript function does. A function must not use its own database, so this opens another one when
 * needed.
 */
function realTextOf(db: Database): (real: number) => string {
  let statement: PreparedStatement | null = null;
  return (real) => {
    statement ??= new (db.constructor as DatabaseConstructor)(':memory:', {})
      .prepare('SELECT CAST(? AS TEXT)')
      .pluck(true);
    return statement.get(real) as string;
  };
}

function textOf(value: NativeValue, realText: (real: number) => string): string | null {
  if (value === null || typeof value === 'string') return value;
  if (typeof value === 'bigint') return value.toString();
  return typeof value === 'number' ? realText(value) : decoder.decode(value);
}
