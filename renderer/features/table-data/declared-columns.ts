// The columns of a table in the form that filters and color rules use.
import type { FilterColumn } from '../../workbench/filter/filter-form-rows.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';

export const declaredColumns = (source: TableSource): readonly FilterColumn[] =>
  source.columns.map(({ name }, column) => ({ name, declaredType: source.declaration(column)?.declaredType ?? '' }));
