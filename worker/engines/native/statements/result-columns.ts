// The columns of a result, and the error for when they are no longer what they were.
import { AppError } from '#shared/protocol/errors.ts';
import type { ResultColumn } from '#shared/protocol/rows.ts';
import type { PreparedStatement } from '../runtime/load.ts';

export function describeColumns(prepared: PreparedStatement): readonly ResultColumn[] {
  return prepared.columns().map(({ name, column, table, database, type }) => ({
    name,
    declaredType: type ?? '',
    origin: database === 'main' && table !== null && column !== null ? { table, column } : null,
  }));
}

/** Another program changed the table between preparing and running. */
export function columnsChanged(): AppError {
  return AppError.conflict(
    'Another program changed the columns of this table. Nothing was read. Run the statement again.',
  );
}
