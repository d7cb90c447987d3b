// What a dump says about rows and definitions that are not in it: a comment, and a note for the user.
import { toAppError, whatHappened } from '#shared/protocol/errors.ts';
import type { TextPart } from './part.ts';

export const missing = (note: string): TextPart => ({
  kind: 'text',
  text: `-- ${note.replace(/[\r\n]+/g, ' ')}\n`,
  note,
});

/** @throws `thrown`, unless it says that SQLite cannot use this table here, or that the table is damaged */
export function unreadable(table: string, thrown: unknown): TextPart {
  const error = toAppError(thrown);
  if (error.code !== 'sql' && error.code !== 'corrupt') throw thrown;
  const note = `Rows of ${JSON.stringify(table)} are missing, because they cannot be read. ${whatHappened(error)}`;
  return { ...missing(note), isLoss: true };
}
