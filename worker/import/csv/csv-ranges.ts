// Divides delimited text into ranges that can be read at the same time. Whether a byte in the middle is within quotes is certain only to a
// reader that comes from the beginning, so where a range begins is a guess, which the reader of the range before proves right or wrong.
import type { ByteSource, RecordRange } from '../../records/record-batch.ts';
import type { CsvDialect } from './csv-dialect.ts';
import { openCsv, type CsvReaderOptions } from './csv-reader.ts';
import { CsvScanner } from './csv-scanner.ts';
import { isPlainUtf8 } from './utf8-stream.ts';

/** Size of the sample on which a guess is based. */
const SAMPLE_BYTES = 64 << 10;

/** Returns at most `count` ranges; fewer where no record is found. @throws as {@link openCsv} */
export async function csvRanges(
  source: ByteSource,
  options: CsvReaderOptions,
  count: number,
  sampleBytes = SAMPLE_BYTES,
): Promise<readonly RecordRange[]> {
  const { columns } = await openCsv(source, options);
  const starts = [0];
  for (let n = 1; n < count && isPlainUtf8(options.encoding); n++) {
    const at = Math.floor((source.sizeBytes / count) * n);
    const start = recordIn(await source.read(at, sampleBytes), options, columns.length);
    if (start !== null && at + start > starts.at(-1)!) starts.push(at + start);
  }
  return starts.map((from, at) => ({ from, until: starts[at + 1] ?? Infinity, columns }));
}

/**
 * Start of a record: if the sample begins without quotes, or within them, whichever makes fewer bad records of it. Read without quotes,
 * the last line of a quoted text can look like a record; read with them, text hardly ever does. Null: nowhere.
 */
function recordIn(sample: Uint8Array, dialect: CsvDialect, columnCount: number): number | null {
  const outside = attempt('', sample, dialect, columnCount);
  const within = attempt(dialect.quote, sample, dialect, columnCount);
  if (outside === null || within === null) return (outside ?? within)?.start ?? null;
  return within.bad <= outside.bad ? within.start : outside.start;
}

/** @param before bytes to put before the sample */
function attempt(
  before: string,
  sample: Uint8Array,
  dialect: CsvDialect,
  columnCount: number,
): { readonly start: number; readonly bad: number } | null {
  const scanner = new CsvScanner({ ...dialect, skipLines: 0 });
  scanner.bytes = new Uint8Array(before.length + sample.length + 1);
  scanner.bytes[0] = before.charCodeAt(0);
  scanner.bytes.set(sample, before.length);
  scanner.filled = before.length + sample.length;
  // The rest of a record, which may have any number of fields.
  scanner.scan(1);
  if (scanner.records === 0) return null;
  const start = scanner.consumed - before.length;
  scanner.columnCount = columnCount;
  scanner.scan();
  return { start, bad: scanner.problems.length + scanner.tally.shortRecords };
}
