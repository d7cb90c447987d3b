// The comparisons of a filter: each as the user reads it, and what it is compared with. What each is in SQL: worker/readers/filter-sql.ts.

export interface FilterOperatorRow {
  /** Stored with the tabs of a window: never rename. */
  readonly id: string;
  readonly label: string;
  /** `value`: one of the column's type. `text`: text, whatever the column holds. `nothing`: the term's value is ignored. */
  readonly operand: 'value' | 'text' | 'nothing';
}

export const FILTER_OPERATORS = [
  { id: '=', label: '=', operand: 'value' },
  { id: '<>', label: '≠', operand: 'value' },
  { id: '<', label: '<', operand: 'value' },
  { id: '<=', label: '≤', operand: 'value' },
  { id: '>', label: '>', operand: 'value' },
  { id: '>=', label: '≥', operand: 'value' },
  { id: 'contains', label: 'contains', operand: 'text' },
  { id: 'starts-with', label: 'starts with', operand: 'text' },
  { id: 'is-null', label: 'is NULL', operand: 'nothing' },
  { id: 'is-not-null', label: 'is not NULL', operand: 'nothing' },
] as const satisfies readonly FilterOperatorRow[];

export type FilterOperator = (typeof FILTER_OPERATORS)[number]['id'];

export const filterOperator = (id: FilterOperator): FilterOperatorRow => FILTER_OPERATORS.find((row) => row.id === id)!;
