// The types that columns of a STRICT table can have (sqlite.org/stricttables.html).
import { setTypes } from './edit-columns.ts';
import { constraintAt, positionOfPrimaryKey } from './edit-table.ts';
import { sameName } from './names.ts';
import type { Affinity, TableModel } from './table-model.ts';

export const STRICT_TYPES: readonly string[] = ['INTEGER', 'TEXT', 'REAL', 'BLOB', 'ANY', 'INT'];

/** A column of a STRICT table with a type that such a table does not take. */
export interface StrictProblem {
  readonly index: number;
  readonly name: string;
  /** The type as written; empty if there is none, which a STRICT table does not accept either. */
  readonly type: string;
  /** The type that has its affinity. */
  readonly fitting: string;
}

/** None if the table is not STRICT. */
export function strictProblems(model: TableModel): readonly StrictProblem[] {
  if (!model.strict) return [];
  const key = onlyKeyColumn(model);
  return model.columns.flatMap(({ name: { name }, type, affinity }, index) => {
    const written = type?.sql ?? '';
    if (STRICT_TYPES.includes(written.toUpperCase())) return [];
    const isKey = key !== null && sameName(key, name);
    return [{ index, name, type: written, fitting: written === '' ? 'ANY' : fittingType(affinity, isKey) }];
  });
}

/** Gives each of these columns the type that fits. Returns the new text. */
export function withStrictTypes(model: TableModel): string {
  return setTypes(
    model,
    strictProblems(model).map(({ index, fitting }) => ({ index, type: fitting })),
  );
}

function fittingType(affinity: Affinity, isKey: boolean): string {
  // INTEGER would make the key the row id, which it has not been.
  if (affinity === 'INTEGER' && isKey) return 'INT';
  // ANY stores what a NUMERIC column has, numbers and texts, without converting it.
  return affinity === 'NUMERIC' ? 'ANY' : affinity;
}

/** The column that alone is the primary key; null if there is none. */
function onlyKeyColumn(model: TableModel): string | null {
  const position = positionOfPrimaryKey(model);
  const key = position && constraintAt(model, position);
  return key?.kind === 'primary-key' && key.columns.length === 1 ? key.columns[0]!.column!.name : null;
}
