// The value of a filter in words.
import { filterOperator } from '#shared/filter-operators.ts';
import type { FilterTerm } from '#shared/protocol/rows.ts';
import { cut, visibleLine } from '#shared/visible-text.ts';
import { valueText } from '../../grid/input/value-text.ts';

export function filterValueLabel({ operator, value }: FilterTerm): string {
  if (filterOperator(operator).operand === 'nothing') return '';
  const text = valueText(value);
  return text === '' ? '(empty text)' : visibleLine(cut(text, 40));
}
