// Delimited text.
import { openCsv } from '../csv/csv-reader.ts';
import type { ImportFormat } from '../import-format.ts';
import { plainOptions } from '../plain-options.ts';

export const csvFormat: ImportFormat = {
  id: 'csv',
  detect: ({ fileName }, given = {}) => ({
    certainty: /\.(?:csv|tsv|tab|txt)$/i.test(fileName) ? 0.5 : 0.1,
    options: plainOptions('csv', {
      hasHeader: true,
      delimiter: /\.(?:tsv|tab)$/i.test(fileName) ? '\t' : ',',
      ...given,
    }),
    evidence: [],
  }),
  read: (source, options) => openCsv(source, options),
};
