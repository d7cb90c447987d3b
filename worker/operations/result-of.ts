// The reader of a result, for operations that look at all of its rows.
import { fail } from '#shared/protocol/errors.ts';
import type { ReaderId } from '#shared/protocol/rows.ts';
import { readersOf } from '../live/reader-registry.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import type { OperationSession } from '../sessions/session.ts';

/** @throws AppError `invalid` for the reader of a table */
export function resultOf({ window }: OperationSession, reader: ReaderId): SpooledReader {
  const found = readersOf(window).get(reader);
  if (found instanceof SpooledReader) return found;
  fail('invalid', 'Only the rows of a result are kept for this.');
}
