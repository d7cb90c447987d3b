// SQLite: the tables of another database file, recognized by the signature at its beginning. They are read by worker/transfer.
import { isDatabaseHeader } from '#shared/file-header.ts';
import type { ImportFormat } from '../import-format.ts';
import { noRecords, plainOptions } from '../plain-options.ts';

const BY_NAME = 0.9;

export const sqliteFormat: ImportFormat = {
  id: 'sqlite',
  holdsTables: true,
  read: noRecords,
  detect: ({ fileName, bytes }) => ({
    // A file with another beginning is damaged or encrypted, which is reported when it is read.
    certainty: isDatabaseHeader(bytes) ? 1 : /\.(?:db|db3|sqlite|sqlite3|s3db|sl3)$/i.test(fileName) ? BY_NAME : 0,
    options: plainOptions('sqlite', {}),
    evidence: [],
  }),
};
