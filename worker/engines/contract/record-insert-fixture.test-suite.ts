// For tests of records that are inserted: batches of fields, and inserts into tables of a connection.
import type { Value } from '#shared/protocol/values.ts';
import { BatchWriter } from '../../records/batch-writer.ts';
import { FIELD } from '../../records/record-batch.ts';
import type { FieldKind, RecordBatch } from '../../records/record-batch.ts';
import type { RecordInsert } from '../record-insert.ts';
import type { RecordParameter } from '../record-values.ts';
import type { GetConnection } from './subject.test-suite.ts';

export type Field = readonly [kind: FieldKind, text: string];

interface Options {
  readonly as?: readonly RecordParameter['as'][];
  readonly nullTokens?: readonly string[];
  readonly decimalComma?: boolean;
  readonly onConflict?: string;
  readonly row?: string;
  readonly fills?: string;
}

interface Refused {
  readonly record: number;
  readonly code: string;
  readonly what: string | undefined;
}

export function batchOf(records: readonly (readonly Field[])[]): RecordBatch {
  const writer = new BatchWriter();
  for (const [index, fields] of records.entries()) {
    writer.begin(index + 1);
    for (const [kind, text] of fields) {
      if (kind === FIELD.blob)
        writer.field(
          kind,
          Uint8Array.from(text, (character) => character.charCodeAt(0)),
        );
      else writer.text(kind, text);
    }
    writer.end();
  }
  return writer.take();
}

export const text = (value: string): Field => [FIELD.text, value];

export interface RecordInserts {
  open(table: string, width: number, options?: Options): RecordInsert;
  /** Inserts the records in a transaction of their own. */
  insertAll(
    table: string,
    width: number,
    records: readonly (readonly Field[])[],
    options?: Options,
  ): { readonly refused: readonly Refused[]; readonly changes: number };
  stored(sql: string): readonly (readonly Value[])[];
}

export function recordInsertsOf(get: GetConnection): RecordInserts {
  const open: RecordInserts['open'] = (table, width, options = {}) =>
    get().insertRecords(
      {
        into: `INSERT INTO ${table}`,
        row: options.row ?? `(${Array.from({ length: width }, () => '?').join(', ')})`,
        onConflict: options.onConflict ?? '',
        ...(options.fills !== undefined && { fills: options.fills }),
      },
      {
        parameters: Array.from({ length: width }, (_, field) => ({ field, as: options.as?.[field] ?? 'text' })),
        nullTokens: options.nullTokens ?? [],
        decimalComma: options.decimalComma ?? false,
      },
    );

  const insertAll: RecordInserts['insertAll'] = (table, width, records, options = {}) => {
    const refused: Refused[] = [];
    get().run('BEGIN');
    const insert = open(table, width, options);
    insert.load(batchOf(records));
    for (let at = 0; at < records.length;)
      at = insert.run(at, {
        deadlineMs: 0,
        refused: (record, { code, what }) => refused.push({ record, code, what }),
      });
    const { changes } = insert;
    insert.close();
    get().run('COMMIT');
    return { refused, changes };
  };

  return { open, insertAll, stored: (sql) => get().all(sql) };
}
