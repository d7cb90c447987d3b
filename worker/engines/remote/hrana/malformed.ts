// The error for everything a server sends that the protocol does not allow.
import { AppError } from '#shared/protocol/errors.ts';

/** @param what in words, without anything the server sent: that could be as long as it likes */
export const malformed = (what: string): AppError =>
  AppError.unavailable(
    `The server’s response could not be understood (${what}). Check whether the address is that of a database.`,
    { detail: { kind: 'malformed' } },
  );
