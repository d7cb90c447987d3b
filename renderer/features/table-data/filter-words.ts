// Filters in words: operators as people read them, and chips.
import type { FilterOperator, FilterTerm } from '#shared/protocol/rows.ts';
import { cut, visibleLine } from '#shared/visible-text.ts';
import { valueText } from '../../grid/input/value-text.ts';

export const OPERATORS: readonly { readonly operator: FilterOperator; readonly words: string }[] = [
  { operator: '=', words: '=' },
  { operator: '<>', words: '≠' },
  { operator: '<', words: '<' },
  { operator: '<=', words: '≤' },
  { operator: '>', words: '>' },
  { operator: '>=', words: '≥' },
  { operator: 'contains', words: 'contains' },
  { operator: 'starts-with', words: 'starts with' },
  { operator: 'is-null', words: 'is NULL' },
  { operator: 'is-not-null', words: 'is not NULL' },
];

export const needsValue = (operator: FilterOperator): boolean => operator !== 'is-null' && operator !== 'is-not-null';

/** These compare text, whatever the column holds. */
export const comparesText = (operator: FilterOperator): boolean =>
  operator === 'contains' || operator === 'starts-with';

export const operatorWords = (operator: FilterOperator): string =>
  OPERATORS.find((entry) => entry.operator === operator)!.words;

export function filterValueWords({ operator, value }: FilterTerm): string {
  if (!needsValue(operator)) return '';
  const text = valueText(value);
  return text === '' ? '(empty text)' : visibleLine(cut(text, 40));
}
