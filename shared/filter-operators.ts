// The comparisons of a filter: each as the user reads it, and what it is compared with. What each is in SQL: worker/readers/filter-condition.ts.

interface FilterOperatorRow {
  /** Stored with the tabs of a window: never rename. */
  readonly id: string;
  readonly label: string;
  /**
   * `value`: one of the column's type. `range`: two of them. `list`: any number of them. `text`: text, whatever the column holds. `length`:
   * a number of characters, or of bytes of a blob. `nothing`: the term's value is ignored.
   */
  readonly operand: 'value' | 'range' | 'list' | 'text' | 'length' | 'nothing';
}

export const FILTER_OPERATORS = [
  { id: '=', label: '=', operand: 'value' },
  { id: '<>', label: '≠', operand: 'value' },
  { id: '<', label: '<', operand: 'value' },
  { id: '<=', label: '≤', operand: 'value' },
  { id: '>', label: '>', operand: 'value' },
  { id: '>=', label: '≥', operand: 'value' },
  { id: 'between', label: 'between', operand: 'range' },
  { id: 'in', label: 'is one of', operand: 'list' },
  { id: 'not-in', label: 'is none of', operand: 'list' },
  { id: 'contains', label: 'contains', operand: 'text' },
  { id: 'not-contains', label: 'does not contain', operand: 'text' },
  { id: 'starts-with', label: 'starts with', operand: 'text' },
  { id: 'ends-with', label: 'ends with', operand: 'text' },
  { id: 'like', label: 'LIKE', operand: 'text' },
  { id: 'glob', label: 'GLOB', operand: 'text' },
  { id: 'regex', label: 'matches regex', operand: 'text' },
  { id: 'length=', label: 'length =', operand: 'length' },
  { id: 'length<', label: 'length <', operand: 'length' },
  { id: 'length>', label: 'length >', operand: 'length' },
  { id: 'is-null', label: 'is NULL', operand: 'nothing' },
  { id: 'is-not-null', label: 'is not NULL', operand: 'nothing' },
] as const satisfies readonly FilterOperatorRow[];

export type FilterOperator = (typeof FILTER_OPERATORS)[number]['id'];

export const filterOperator = (id: FilterOperator): FilterOperatorRow => FILTER_OPERATORS.find((row) => row.id === id)!;
