// The columns of a table as its grid shows them.
import type { Column, ReaderInfo } from '#shared/protocol/index.ts';
import type { GridColumn } from '../../grid/grid-source.ts';
import { isDateType } from '../../grid/paint/special-display.ts';

/** @param column its declaration; null if the table no longer has it */
export function gridColumnOf(
  { name, declaredType }: ReaderInfo['columns'][number],
  column: Column | null,
  info: ReaderInfo,
): GridColumn {
  const type = declaredType.toLowerCase();
  const isGenerated = column !== null && column.generated !== 'no';
  const emptyText = isRowIdAlias(column, info) ? 'automatic' : (column?.defaultSql ?? 'NULL');
  const label = column?.references ? `→ ${column.references.table}` : isGenerated ? `${type} generated`.trim() : type;
  const unknown = column?.unknownCollation;
  return {
    name,
    typeLabel: unknown === undefined ? label : `${label} (compared by bytes: no ${unknown} here)`.trim(),
    key: (column?.primaryKeyIndex ?? 0) > 0,
    link: Boolean(column?.references),
    holdsDates: isDateType(declaredType),
    defaultText: isGenerated ? 'generated' : emptyText,
  };
}

export const isRowIdAlias = (column: Column | null, { key }: ReaderInfo): boolean =>
  key.kind === 'rowid' && column?.primaryKeyIndex === 1 && column.declaredType.toUpperCase() === 'INTEGER';
