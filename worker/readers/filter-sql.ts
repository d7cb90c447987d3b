// The user's filter and sort as SQL: terms become parameters, and raw SQL is accepted only if it is a single expression.
import { AppError } from '#shared/protocol/errors.ts';
import type { FilterEntry, SortTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { quoteName } from '../sql/quote.ts';
import { comparedColumn, type TableShape } from '../schema/table-shape.ts';
import { columnOf, conditionOf } from './filter-condition.ts';

/** SQLite allows 32,766 parameters (sqlite.org/limits.html); readers add some of their own. */
const MAX_VALUES = 32_000;

export interface Where {
  /** Condition without the keyword WHERE; null when every row matches. */
  readonly sql: string | null;
  readonly params: readonly Value[];
}

/** @throws AppError `sql` with its offset in `where`, or `invalid` */
export function whereOf(connection: Connection, shape: TableShape, filter: readonly FilterEntry[], where = ''): Where {
  const conditions: string[] = [];
  const params: Value[] = [];
  for (const entry of filter) {
    const condition = conditionOf(shape, entry);
    conditions.push(condition.sql);
    params.push(...condition.params);
  }
  if (params.length > MAX_VALUES)
    throw AppError.invalid(
      `The filter compares with ${params.length} values; SQLite allows ${MAX_VALUES}. Remove some of them.`,
    );
  if (where.trim() !== '') {
    checkExpression(connection, shape, where);
    // The line break ends a comment at the end of the user's text.
    conditions.push(`(${where}\n)`);
  }
  return { sql: conditions.length === 0 ? null : conditions.join(' AND '), params };
}

export interface OrderTerm {
  /** Quoted, with a collation that SQLite has. */
  readonly name: string;
  readonly descending: boolean;
}

export function orderTerms(shape: TableShape, sort: readonly SortTerm[]): OrderTerm[] {
  return sort.map(({ column, descending }) => ({ name: comparedColumn(columnOf(shape, column)), descending }));
}

export function orderTermSql({ name, descending }: OrderTerm): string {
  return descending ? `${name} DESC` : name;
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
    throw AppError.invalid('A filter cannot have parameters like ? or :name. Write the values themselves.');
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
    throw AppError.sql(error.message, {
      sqlite: { result: 1, extended: 1, ...error.sqlite, offset: Math.min(offset, where.length) },
    });
  }
}
