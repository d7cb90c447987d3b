// Runs steps of a salvage that may fail, for both of its halves.
import { AppError } from '#shared/protocol/errors.ts';

/** Returns null on success, otherwise the reason. @throws AppError `stopped`, `full`: those end the whole salvage */
export function attempt(action: () => unknown): string | null {
  try {
    action();
    return null;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'stopped' || error.code === 'full') throw error;
    return error.message;
  }
}
