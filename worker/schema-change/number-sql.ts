// The statement that sets a number in the header of the file.
import type { SchemaChange } from '#shared/protocol/schema-change.ts';
import { fail, inParts } from '#shared/protocol/errors.ts';

/** @throws AppError `invalid` for anything but a 32-bit integer: SQLite would take it for something else */
export function numberSql({ name, value }: Extract<SchemaChange, { kind: 'set-number' }>): string {
  if ((name === 'user_version' || name === 'application_id') && (value | 0) === value)
    return `PRAGMA main.${name} = ${value}`;
  fail('invalid', inParts(`${name} is a 32-bit integer.`, 'Nothing was changed.'));
}
