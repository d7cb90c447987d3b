// Whether an index leads to the rows of a query, so that it does not read a whole table in one statement.
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';

export function isIndexed(connection: Connection, sql: string, params: readonly Value[]): boolean {
  const steps = connection.all(`EXPLAIN QUERY PLAN ${sql}`, params);
  return steps.every((step) => String(step[3]).startsWith('SEARCH '));
}
