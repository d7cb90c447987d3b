// How both halves of a salvage try what may fail.
import { AppError } from '#shared/protocol/errors.ts';

/** Null when it went well, otherwise why not. @throws AppError `stopped`, `full`: those end the whole salvage */
export function attempt(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'stopped' || error.code === 'full') throw error;
    return error.message;
  }
}
