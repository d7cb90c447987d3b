// For tests of JSON and NDJSON: everything that is read from a text.
import { bytesSource, readAll, type ReadFile } from '../read-all.test-suite.ts';
import { JsonReader } from './json-reader.ts';
import { NdjsonReader } from './ndjson-reader.ts';

export const readJson = (
  text: string | Uint8Array,
  part: string | null = null,
  chunkBytes?: number,
): Promise<ReadFile> => readAll(new JsonReader(bytesSource(text), 'utf-8', part, true, { chunkBytes }));
export const readLines = (text: string | Uint8Array, chunkBytes?: number): Promise<ReadFile> =>
  readAll(new NdjsonReader(bytesSource(text), 'utf-8', true, { chunkBytes }));
