// The rows of the filter form as the entry of a filter that they stand for, and back.
import { filterOperator, type FilterOperator } from '#shared/filter-operators.ts';
import { regularExpressionProblem } from '#shared/regular-expressions/regular-expressions.ts';
import { isFilterGroup, type FilterEntry, type FilterTerm } from '#shared/protocol/rows.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { integerFrom } from '../cells/typed-text.ts';
import { listText, readFilterText } from './filter-text.ts';
import { affinityOf, typedValue } from '../cells/typed-value.ts';

export interface FilterColumn {
  /** Name by which terms refer to it: unique, unlike the names in a result. */
  readonly name: string;
  readonly declaredType: string;
  /** Name shown to the user; `name` if missing. */
  readonly label?: string;
  /** Its grid shows it in another form than the stored one, which filters compare. */
  readonly hasFormat?: boolean;
}

export interface FormRow {
  /** How the row is joined to the row before; ignored in the first row. */
  readonly joiner: 'and' | 'or';
  /** Null: any. */
  readonly column: string | null;
  readonly operator: FilterOperator;
  readonly text: string;
  /** The upper end of a range. */
  readonly to: string;
}

export function rowsOf(entry: FilterEntry, columns: readonly FilterColumn[]): readonly FormRow[] {
  const any = isFilterGroup(entry) ? entry.any : [[entry]];
  return any.flatMap((terms) =>
    terms.map((term, at): FormRow => ({
      joiner: at === 0 ? 'or' : 'and',
      column: term.column,
      operator: term.operator,
      text:
        filterOperator(term.operator).operand === 'list'
          ? listText(term.values ?? [], { name: term.column, declaredType: typeOf(term.column, columns) })
          : valueText(term.value),
      to: valueText(term.to ?? null),
    })),
  );
}

export function entryFrom(
  rows: readonly FormRow[],
  columns: readonly FilterColumn[],
): FilterEntry | { readonly problem: string } {
  const any: FilterTerm[][] = [];
  for (const [at, row] of rows.entries()) {
    const term = termFrom(row, columns);
    if ('problem' in term) return term;
    if (at > 0 && row.joiner === 'and') any.at(-1)!.push(term);
    else any.push([term]);
  }
  return any.length === 1 && any[0]!.length === 1 ? any[0]![0]! : { any };
}

export function termFrom(row: FormRow, columns: readonly FilterColumn[]): FilterTerm | { readonly problem: string } {
  const { column, operator, text, to } = row;
  const declaredType = typeOf(column, columns);
  const typed = (word: string): FilterTerm['value'] => typedValue(word, affinityOf(declaredType), 'null');
  switch (filterOperator(operator).operand) {
    case 'nothing':
      return { column, operator, value: null };
    case 'text': {
      const problem = operator === 'regex' ? regularExpressionProblem(text) : null;
      return problem === null ? { column, operator, value: text } : { problem };
    }
    case 'value':
      return { column, operator, value: typed(text) };
    case 'range':
      return { column, operator, value: typed(text), to: typed(to) };
    case 'length': {
      const length = integerFrom(text.trim());
      return length === null ? { problem: 'Enter the length as a whole number.' } : { column, operator, value: length };
    }
    case 'list': {
      const read = readFilterText(`in (${text})`, { name: column, declaredType });
      const [entry] = 'entries' in read ? read.entries : [];
      if (!entry || isFilterGroup(entry) || entry.operator !== 'in')
        return { problem: 'Separate the values with commas. Enclose text that contains commas in double quotes.' };
      return { column, operator, value: null, values: entry.values ?? [] };
    }
  }
}

const typeOf = (column: string | null, columns: readonly FilterColumn[]): string =>
  columns.find(({ name }) => name === column)?.declaredType ?? '';
