// The range of SQLite's integers.
import { AppError } from '#shared/protocol/errors.ts';

const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

export const fitsInteger = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;

/** @throws AppError `too-big` */
export function assertFits(value: bigint): void {
  if (fitsInteger(value)) return;
  throw AppError.tooBig(
    `${value} is too big for SQLite: integers have 64 bits, from ${INT64_MIN} to ${INT64_MAX}. Nothing was changed.`,
  );
}
