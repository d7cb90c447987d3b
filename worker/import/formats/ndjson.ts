// NDJSON, also called JSON Lines: an object or a list in each line.
import { detectJson } from '../json/detect-json.ts';
import { NdjsonReader } from '../json/ndjson-reader.ts';
import type { ImportFormat } from '../import-format.ts';

export const ndjsonFormat: ImportFormat = {
  id: 'ndjson',
  detect: (sample) => detectJson(sample, 'ndjson'),
  read: (source, options, limits) => new NdjsonReader(source, options.encoding, options.hasHeader, { limits }),
};
