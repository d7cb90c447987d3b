// Errors of Parquet files.
/* oxlint-disable sidelite/text-decisions -- the decoder's own messages, without any code beside them */
import { AppError } from '#shared/protocol/errors.ts';

export const unreadable = (why: string): AppError => AppError.invalid(`The Parquet file cannot be read: ${why}.`);

export const tooBig = (why: string): AppError =>
  AppError.tooBig(`The Parquet file does not fit into memory: ${why}. Write it with smaller pages or row groups.`);

/** The decoder throws plain errors for problems of a file; other failures are left as they are. */
export async function forPeople<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unreadable(error instanceof Error && saysSomething(error) ? error.message.slice(0, 200) : 'it is damaged');
  }
}

/** Errors of JavaScript say nothing about a file, nor do those of the decoder about a number in it that has no name. */
const saysSomething = (error: Error): boolean =>
  Object.getPrototypeOf(error) === Error.prototype && !error.message.includes('undefined');
