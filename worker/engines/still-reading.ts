// The error of an engine when half-read statements prevent an operation.
import { AppError } from '#shared/protocol/errors.ts';

export function stillReading(): AppError {
  return AppError.unavailable('Something is still reading this database. Try again in a moment.');
}
