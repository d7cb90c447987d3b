// JSON: a list of objects or of lists, one object, or one list of several in an object.
import { detectJson } from '../json/detect-json.ts';
import { JsonReader } from '../json/json-reader.ts';
import { partsOfFile, WHOLE_OBJECT } from '../json/json-parts.ts';
import type { ImportFormat } from '../import-format.ts';

export const jsonFormat: ImportFormat = {
  id: 'json',
  detect: (sample) => detectJson(sample, 'json'),
  read: (source, { encoding, part, hasHeader }, limits) =>
    new JsonReader(source, encoding, part === WHOLE_OBJECT ? null : part, hasHeader, { limits }),
  parts: (source, { encoding }, limits) => partsOfFile(source, encoding, limits),
};
