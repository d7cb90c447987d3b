// Small things both halves of a salvage use.
import { AppError } from '#shared/protocol/errors.ts';

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

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
