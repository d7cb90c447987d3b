// What an engine says when rows that are being read stand in the way.
import { AppError } from '#shared/protocol/errors.ts';

export function stillReading(): AppError {
  return new AppError({
    code: 'unavailable',
    message: 'Something is still reading this database. Try again in a moment.',
  });
}
