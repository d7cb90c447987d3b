// A filter in words, for its chip.
import { filterOperator } from '#shared/filter-operators.ts';
import { isFilterGroup, type FilterEntry, type FilterTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { cut, visibleLine, visibleName } from '#shared/visible-text.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { operandsOf } from './filter-text.ts';

const SHOWN_VALUES = 3;

interface FilterLabel {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

export function termLabel(term: FilterTerm): FilterLabel {
  const { label, operand } = filterOperator(term.operator);
  const operands = operandsOf(term);
  const texts = operands.slice(0, SHOWN_VALUES).map((value) => valueLabel(value));
  const more = operands.length - texts.length;
  const value = texts.join(operand === 'range' ? ' and ' : ', ') + (more > 0 ? `, and ${more} more` : '');
  return { column: columnLabel(term.column), operator: label, value };
}

const columnLabel = (column: string | null): string => (column === null ? 'any column' : visibleName(column));

/** Name of a chip: the columns that it is about. */
export function entryColumns(entry: FilterEntry): string {
  if (!isFilterGroup(entry)) return columnLabel(entry.column);
  return [...new Set(entry.any.flat().map(({ column }) => columnLabel(column)))].join(', ');
}

function valueLabel(value: Value): string {
  if (value === null) return 'NULL';
  const text = valueText(value);
  return text === '' ? '(empty text)' : visibleLine(cut(text, 40));
}
