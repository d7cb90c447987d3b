// The columns of a table as filters and color rules know them.
import type { FilterColumn } from '../../workbench/filter/filter-form-rows.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export const declaredColumns = (source: TableSource): readonly FilterColumn[] =>
  source.columns.map(({ name }, column) => ({ name, declaredType: source.declaration(column)?.declaredType ?? '' }));
