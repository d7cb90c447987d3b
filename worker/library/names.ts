// Names of library databases: free of control characters, never empty, unique regardless of case.
import { fail } from '#shared/protocol/errors.ts';

const MAX_LENGTH = 200;
const EXTENSION = /\.(sqlite3?|db3?|s3db|sl3|sqlitedb)$/i;

/** Two names are the same when their keys are equal. */
export function nameKey(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

/** @throws AppError `invalid` */
export function cleanName(name: string): string {
  const clean = name
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH);
  if (clean) return clean;
  fail('invalid', 'A database needs a name. Enter at least one letter.');
}

export function nameFromFile(fileName: string): string {
  const bare = fileName.replace(EXTENSION, '').trim();
  return cleanName(bare || fileName || 'Database');
}
