// The error of a table format when its records are requested.
import { AppError } from '#shared/protocol/errors.ts';

export function noRecords(): never {
  throw AppError.unavailable('This file has tables, which are chosen by name. Import it in its own tab.');
}
