// The user's filter and sort as SQL: terms become parameters, and raw SQL is accepted only if it is a single expression.
import { AppError } from '#shared/protocol/errors.ts';
import type { FilterTerm, SortTerm } from '#shared/protocol/rows.ts';
import { isRawText, isReal } from '#shared/protocol/values.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { escapeLike, quoteName } from '../sql/quote.ts';
import type { TableShape } from '../schema/table-shape.ts';

export interface Where {
  /** Without the keyword WHERE; null when every row matches. */
  readonly sql: string | null;
  readonly params: readonly Value[];
}

/** @throws AppError `sql` with its offset in `where`, or `invalid` */
export function whereOf(connection: Connection, shape: TableShape, filter: readonly FilterTerm[], where = ''): Where {
  const conditions: string[] = [];
  const params: Value[] = [];
  for (const term of filter) {
    checkColumn(shape, term.column);
    const condition = conditionOf(term);
    conditions.push(condition.sql);
    params.push(...condition.params);
  }
  if (where.trim() !== '') {
    checkExpression(connection, shape, where);
    // The line break ends a comment at the end of the user's text.
    conditions.push(`(${where}\n)`);
  }
  return { sql: conditions.length === 0 ? null : conditions.join(' AND '), params };
}

export interface OrderTerm {
  /** Quoted. */
  readonly name: string;
  readonly descending: boolean;
}

export function orderTerms(shape: TableShape, sort: readonly SortTerm[]): OrderTerm[] {
  return sort.map(({ column, descending }) => {
    checkColumn(shape, column);
    return { name: quoteName(column), descending };
  });
}

export function orderTermSql({ name, descending }: OrderTerm): string {
  return descending ? `${name} DESC` : name;
}

function checkColumn(shape: TableShape, name: string): void {
  if (shape.columns.some((column) => column.name === name)) return;
  throw new AppError({
    code: 'invalid',
    message: `“${shape.name}” has no column “${name}”. Remove it from the filter or sort order.`,
  });
}

function conditionOf({ column, operator, value }: FilterTerm): { sql: string; params: readonly Value[] } {
  const name = quoteName(column);
  switch (operator) {
    case 'is-null':
      return { sql: `${name} IS NULL`, params: [] };
    case 'is-not-null':
      return { sql: `${name} IS NOT NULL`, params: [] };
    case 'contains':
      return { sql: `${name} LIKE ? ESCAPE '\\'`, params: [`%${escapeLike(searchText(value))}%`] };
    case 'starts-with':
      return { sql: `${name} LIKE ? ESCAPE '\\'`, params: [`${escapeLike(searchText(value))}%`] };
    case '=':
      return { sql: `${name} ${value === null ? 'IS' : '='} ?`, params: [value] };
    case '<>':
      return { sql: `${name} ${value === null ? 'IS NOT' : '<>'} ?`, params: [value] };
    case '<':
    case '<=':
    case '>':
    case '>=':
      return { sql: `${name} ${operator} ?`, params: [value] };
    default:
      throw unknownOperator(operator);
  }
}

/** A window can send anything. An unknown operator never becomes part of a statement. */
function unknownOperator(operator: never): AppError {
  return new AppError({
    code: 'invalid',
    message: `There is no operator “${String(operator)}”. Remove it from the filter.`,
  });
}

function searchText(value: Value): string {
  if (isReal(value)) return String(value.real);
  if (value instanceof Uint8Array || isRawText(value)) {
    throw new AppError({ code: 'invalid', message: 'Only text and numbers can be searched for in a filter.' });
  }
  return String(value ?? '');
}

/**
 * Text that balances only together with our parentheses (`1) OR (1`) fails bare, and a tail that fits only bare (`1 LIMIT 5`, `1 UNION …`)
 * fails inside them: text that passes both ways is one expression.
 */
function checkExpression(connection: Connection, shape: TableShape, where: string): void {
  const select = `SELECT 1 FROM main.${quoteName(shape.name)} WHERE `;
  for (const [before, after] of [
    [select, ''],
    [`${select}(`, '\n)'],
  ] as const) {
    const parameters = prepareForOffsets(connection, before, where, after);
    if (parameters === 0) continue;
    throw new AppError({
      code: 'invalid',
      message: 'A filter cannot have parameters like ? or :name. Write the values themselves.',
    });
  }
}

function prepareForOffsets(connection: Connection, before: string, where: string, after: string): number {
  try {
    const statement = connection.prepare(before + where + after);
    const { parameterCount } = statement;
    statement.finalize();
    return parameterCount;
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'internal') throw error;
    const offset = error.sqlite && error.sqlite.offset >= 0 ? error.sqlite.offset - before.length : -1;
    throw new AppError({
      code: 'sql',
      message: error.message,
      sqlite: { result: 1, extended: 1, ...error.sqlite, offset: Math.min(offset, where.length) },
    });
  }
}
