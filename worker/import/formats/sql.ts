// SQL: dumps and scripts, recognized by their name or by how they begin. Their tables are read by worker/transfer.
import { detectEncoding } from '../csv/detect-encoding.ts';
import type { FileSample, ImportFormat } from '../import-format.ts';
import { noRecords, plainOptions } from '../plain-options.ts';
import { isSql } from '../sql/detect-dialect.ts';
import { beginningOf } from '../sql/sql-text.ts';

const BY_NAME = 0.95;
const BY_CONTENT = 0.97;

export const sqlFormat: ImportFormat = {
  id: 'sql',
  holdsTables: true,
  read: noRecords,
  detect(sample) {
    const { encoding } = detectEncoding(sample);
    return { certainty: certaintyOf(sample, encoding), options: plainOptions('sql', { encoding }), evidence: [] };
  },
};

function certaintyOf(sample: FileSample, encoding: string): number {
  if (/\.(?:sql|dump)$/i.test(sample.fileName)) return BY_NAME;
  return isSql(beginningOf(sample.bytes, encoding)) ? BY_CONTENT : 0;
}
