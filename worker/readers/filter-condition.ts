// A filter entry as a condition in SQL. Names are quoted, and every value is a parameter.
import { AppError } from '#shared/protocol/errors.ts';
import { isFilterGroup, type FilterEntry, type FilterTerm } from '#shared/protocol/rows.ts';
import type { Column } from '#shared/protocol/schema.ts';
import { isRawText, isReal, type Value } from '#shared/protocol/values.ts';
import { assertRegularExpression } from '#shared/regular-expressions/regular-expressions.ts';
import { comparedColumn, type TableShape } from '../schema/table-shape.ts';
import { escapeLike } from '../sql/quote.ts';

export interface Condition {
  readonly sql: string;
  readonly params: readonly Value[];
}

/** @throws AppError `invalid` for a column that the table lacks, an unknown operator, or a value that cannot be searched for */
export function conditionOf(shape: TableShape, entry: FilterEntry): Condition {
  if (!isFilterGroup(entry)) return termCondition(shape, entry);
  const alternatives = entry.any.filter((terms) => terms.length > 0);
  if (alternatives.length === 0) throw AppError.invalid('A group of a filter is empty.');
  return joined(
    'OR',
    alternatives.map((terms) =>
      joined(
        'AND',
        terms.map((term) => termCondition(shape, term)),
      ),
    ),
  );
}

export function columnOf({ name: table, columns }: TableShape, name: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column) return column;
  throw AppError.invalid(`“${table}” has no column “${name}”. Remove it from the filter or sort order.`);
}

function termCondition(shape: TableShape, term: FilterTerm): Condition {
  if (term.column === null)
    return joined(
      'OR',
      shape.columns.map((column) => columnCondition(comparedColumn(column), term)),
    );
  return columnCondition(comparedColumn(columnOf(shape, term.column)), term);
}

/** Halves repeatedly: a row of `OR` is as deep as it is long, and SQLite allows no more than 1,000 (sqlite.org/limits.html). */
function joined(word: 'AND' | 'OR', conditions: readonly Condition[]): Condition {
  if (conditions.length === 1) return conditions[0]!;
  const middle = conditions.length >> 1;
  const left = joined(word, conditions.slice(0, middle));
  const right = joined(word, conditions.slice(middle));
  return { sql: `(${left.sql} ${word} ${right.sql})`, params: [...left.params, ...right.params] };
}

function columnCondition(name: string, term: FilterTerm): Condition {
  const { operator, value } = term;
  switch (operator) {
    case 'is-null':
      return { sql: `${name} IS NULL`, params: [] };
    case 'is-not-null':
      return { sql: `${name} IS NOT NULL`, params: [] };
    case 'contains':
      return like(name, `%${escapeLike(searchText(value))}%`);
    case 'not-contains': {
      const { sql, params } = like(name, `%${escapeLike(searchText(value))}%`);
      return { sql: `(${name} IS NULL OR NOT ${sql})`, params };
    }
    case 'starts-with':
      return like(name, `${escapeLike(searchText(value))}%`);
    case 'ends-with':
      return like(name, `%${escapeLike(searchText(value))}`);
    case 'like':
      return { sql: `${name} LIKE ?`, params: [searchText(value)] };
    case 'glob':
      return { sql: `${name} GLOB ?`, params: [searchText(value)] };
    case 'regex':
      assertRegularExpression(searchText(value));
      return { sql: `CAST(${name} AS TEXT) REGEXP ?`, params: [searchText(value)] };
    case '=':
      return { sql: `${name} ${value === null ? 'IS' : '='} ?`, params: [value] };
    case '<>':
      return { sql: `${name} ${value === null ? 'IS NOT' : '<>'} ?`, params: [value] };
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { sql: `${name} ${operator} ?`, params: [value] };
    case 'between':
      return { sql: `${name} BETWEEN ? AND ?`, params: [value, term.to ?? null] };
    case 'in':
    case 'not-in':
      return listCondition(name, operator, term.values ?? []);
    case 'length=':
    case 'length<':
    case 'length>':
      return { sql: `length(${name}) ${operator.slice('length'.length)} ?`, params: [value] };
    default:
      throw unknownOperator(operator);
  }
}

const like = (name: string, pattern: string): Condition => ({ sql: `${name} LIKE ? ESCAPE '\\'`, params: [pattern] });

/** NULL is a value like any other here: `is one of` finds it if it is in the list, `is none of` if it is not. */
function listCondition(name: string, operator: 'in' | 'not-in', values: readonly Value[]): Condition {
  const params = values.filter((value) => value !== null);
  const list = `(${params.map(() => '?').join(', ')})`;
  const hasNull = params.length < values.length;
  const sql =
    operator === 'in'
      ? `(${name} IN ${list}${hasNull ? ` OR ${name} IS NULL` : ''})`
      : `(${name} NOT IN ${list} ${hasNull ? `AND ${name} IS NOT NULL` : `OR ${name} IS NULL`})`;
  return { sql, params };
}

/** A window can send anything. An unknown operator never becomes part of a statement. */
function unknownOperator(operator: never): AppError {
  return AppError.invalid(`There is no operator “${String(operator)}”. Remove it from the filter.`);
}

function searchText(value: Value): string {
  if (isReal(value)) return String(value.real);
  if (value instanceof Uint8Array || isRawText(value)) {
    throw AppError.invalid('Only text and numbers can be searched for in a filter.');
  }
  return String(value ?? '');
}
