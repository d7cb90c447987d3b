// What a connection says once it is closed.
import { AppError } from '#shared/protocol/errors.ts';

export function closedError(): AppError {
  return new AppError({ code: 'disconnected', message: 'The database was closed. Open it again.' });
}
