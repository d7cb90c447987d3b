// ALTER TABLE on a server whose SQLite is older than the one on this computer, where changes of its schema are tried beforehand.
import { AppError } from '#shared/protocol/errors.ts';
import { SqlScanner, Token } from '#shared/sql-scanner.ts';
import type { Connection } from '../../engine.ts';

/** Since then ALTER TABLE changes NOT NULL and constraints (sqlite.org/releaselog/3_53_0.html). */
const CHANGES_CONSTRAINTS = [3, 53] as const;
const NEWER = ['ALTER COLUMN', 'ADD CONSTRAINT', 'ADD CHECK', 'DROP CONSTRAINT'] as const;

/** The connection, which rejects what a server of that version would reject. */
export function asOldAs(version: string, near: Connection): Connection {
  if (isSince(version, CHANGES_CONSTRAINTS)) return near;
  const run = near.run.bind(near);
  near.run = (sql, params) => {
    if (changesConstraint(sql))
      throw new AppError({ code: 'sql', message: `SQLite ${version} has no such ALTER TABLE.` });
    return run(sql, params);
  };
  return near;
}

function isSince(version: string, [major, minor]: readonly [number, number]): boolean {
  const [its = 0, itsMinor = 0] = version.split('.').map(Number);
  return its > major || (its === major && itsMinor >= minor);
}

/** `ALTER TABLE [schema.]name` and the two words after it. */
function changesConstraint(sql: string): boolean {
  const scanner = new SqlScanner(sql);
  const words: string[] = [];
  while (words.length < 2 && scanner.next() === Token.word) words.push(scanner.text.toUpperCase());
  if (words.join(' ') !== 'ALTER TABLE') return false;
  do scanner.next();
  while (scanner.next() !== Token.end && scanner.text === '.');
  const first = scanner.text.toUpperCase();
  scanner.next();
  const action = `${first} ${scanner.text.toUpperCase()}`;
  return NEWER.some((newer) => newer === action);
}
