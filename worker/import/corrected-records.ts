// A reader of records that the user has corrected by hand; their line numbers are their positions in the list.
import type { EndedImport } from './import-log.ts';
import { BatchWriter } from '../records/batch-writer.ts';
import { FIELD } from '../records/record-batch.ts';
import type { RecordBatch, RecordProblem, RecordReader } from '../records/record-batch.ts';

/** @param records null: one that could not be read and was not corrected, which stays a problem */
export function correctedRecords(
  { columns, problems }: Pick<EndedImport, 'columns' | 'problems'>,
  records: readonly (readonly string[] | null)[],
): RecordReader {
  let at = 0;
  let unread: RecordProblem[] = [];
  return {
    columns,
    get bytesRead() {
      return at;
    },
    takeProblems() {
      const taken = unread;
      unread = [];
      return taken;
    },
    next(): Promise<RecordBatch | null> {
      if (at >= records.length) return Promise.resolve(null);
      const writer = new BatchWriter();
      while (at < records.length && !writer.isFull) {
        const fields = records[at++]!;
        if (fields === null) {
          const { reason = '', fields: [text = ''] = [] } = problems[at - 1] ?? {};
          unread.push({ line: at, reason, text });
          continue;
        }
        writer.begin(at);
        for (const field of fields) {
          if (field === '') writer.bare(FIELD.empty);
          else writer.text(FIELD.text, field);
        }
        writer.end(columns.length);
      }
      return Promise.resolve(writer.take());
    },
  };
}
