// A result as JSON: what Import reads.
import type { ResultFormat } from './result-format.ts';

export const JSON_FORMAT: ResultFormat = {
  extension: 'json',
  label: 'JSON…',
  hint: 'everything, raw samples included',
  contents: ({ result }) => JSON.stringify(result, null, 1),
};
