// Parquet. The reader is loaded with the first such file.
import type { ImportFormat } from '../import-format.ts';
import { plainOptions } from '../plain-options.ts';

/** Encrypted files have the second one. */
const SIGNATURES: ReadonlySet<string> = new Set(['PAR1', 'PARE']);

export const parquetFormat: ImportFormat = {
  id: 'parquet',
  detect: ({ bytes, fileName }) => ({
    certainty:
      SIGNATURES.has(String.fromCharCode(...bytes.subarray(0, 4))) ||
      (bytes.length === 0 && /\.parquet$/i.test(fileName))
        ? 1
        : 0,
    options: plainOptions('parquet', { hasHeader: true }),
    evidence: [{ option: 'format', reason: 'It begins as Parquet files do.' }],
  }),
  read: async (source, _options, limits) => (await import('../parquet/parquet-reader.ts')).openParquet(source, limits),
};
