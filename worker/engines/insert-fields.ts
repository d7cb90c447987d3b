// The plainest way of inserting records: a field for each column.
import { quoteName, quoteNames } from '../sql/quote.ts';
import type { Connection } from './engine.ts';
import type { RecordInsert } from './record-insert.ts';
import type { RecordParameter } from './record-values.ts';

/** Inserts the fields of records into these columns. @param as how each is stored; by default as it is */
export function insertFields(
  connection: Connection,
  table: string,
  columns: readonly string[],
  as: readonly RecordParameter['as'][] = columns.map(() => 'any'),
): RecordInsert {
  return connection.insertRecords(
    {
      into: `INSERT INTO main.${quoteName(table)} (${quoteNames(columns)})`,
      row: `(${columns.map(() => '?').join(', ')})`,
      onConflict: '',
    },
    { parameters: as.map((each, field) => ({ field, as: each })), nullTokens: [], decimalComma: false },
  );
}
