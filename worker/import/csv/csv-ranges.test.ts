// Files that are hard to read, in ranges that begin anywhere: what they hold is counted as in one pass over the whole file.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportAnalysis, ImportOptions } from '#shared/protocol/import.ts';
import type { FileClient } from '../../library/files.ts';
import type { RecordRange } from '../../records/record-batch.ts';
import { analysisOf, countFacts } from '../facts/count-facts.ts';
import { plainOptions } from '../plain-options.ts';
import { bytesSource, readAll, type ReadFile } from '../read-all.test-suite.ts';
import { countFactsInThreads } from '../thread/count-in-threads.ts';
import type { FromReading, ToReading } from '../thread/reading-messages.ts';
import { useReadingThreads } from '../thread/reading-thread.ts';
import { serveReading } from '../thread/serve-reading.ts';
import { csvRanges } from './csv-ranges.ts';
import { openCsv, openCsvRange } from './csv-reader.ts';
import { DIFFICULT, type DifficultCsv } from './difficult.test-suite.ts';
import { isPlainUtf8 } from './utf8-stream.ts';

const OPTIONS: ImportOptions = {
  ...plainOptions('csv', { hasHeader: true }),
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
};
const source = { kind: 'file', token: 'chosen' } as const;
const encoder = new TextEncoder();
/** Limit for files in which cutting everywhere would take minutes. */
const MOST_CUTS = 100;

const bytesOf = (text: DifficultCsv['text']): Uint8Array => (typeof text === 'string' ? encoder.encode(text) : text);
const optionsOf = ({ options }: DifficultCsv): ImportOptions => ({ ...OPTIONS, ...options });

/** Number of ranges that were read, including those read again. */
let readings = 0;

beforeEach(() => {
  readings = 0;
  useReadingThreads(() => {
    readings++;
    let toEngine: (message: FromReading) => void = () => undefined;
    let toThread: (message: ToReading) => void = () => undefined;
    serveReading({
      post: (message) => queueMicrotask(() => toEngine(message)),
      onMessage: (listener) => (toThread = listener),
    });
    return {
      post: (message) => queueMicrotask(() => toThread(message)),
      onMessage: (listener) => (toEngine = listener),
      onLost: () => undefined,
      end: () => undefined,
    };
  }, 4);
});
afterEach(() => useReadingThreads(null, 0));

function clientOf(bytes: Uint8Array): FileClient {
  const call = async (op: string, { offset, length }: { readonly offset: number; readonly length: number }) =>
    op === 'file.info'
      ? { fileName: 'f.csv', sizeBytes: bytes.length, modifiedAtMs: 1 }
      : bytes.slice(offset, offset + length);
  return { call } as unknown as FileClient;
}

async function inOnePass(bytes: Uint8Array, options: ImportOptions): Promise<ImportAnalysis> {
  const facts = await countFacts(await openCsv(bytesSource(bytes), options), options, () => undefined);
  return analysisOf([facts], options);
}

async function inRanges(
  bytes: Uint8Array,
  options: ImportOptions,
  ranges: readonly RecordRange[],
): Promise<ImportAnalysis> {
  const file = { source, options, ranges };
  return analysisOf(await countFactsInThreads(clientOf(bytes), file, () => Promise.resolve()), options);
}

async function cutAt(bytes: Uint8Array, options: ImportOptions, cuts: readonly number[]): Promise<RecordRange[]> {
  const { columns } = await openCsv(bytesSource(bytes), options);
  const starts = [0, ...new Set(cuts)].toSorted((a, b) => a - b);
  return starts.map((from, at) => ({ from, until: starts[at + 1] ?? Infinity, columns }));
}

describe('ranges of a file', () => {
  const plain = DIFFICULT.filter((file) => isPlainUtf8(optionsOf(file).encoding));

  it.each(plain.map((file) => [file.name, file] as const))('count alike wherever they begin: %s', async (_, file) => {
    const bytes = bytesOf(file.text);
    const options = optionsOf(file);
    const expected = await inOnePass(bytes, options);
    const step = Math.max(1, Math.floor(bytes.length / MOST_CUTS));
    for (let cut = 1; cut < bytes.length; cut += bytes.length > 10_000 ? step * 20 : step)
      expect(await inRanges(bytes, options, await cutAt(bytes, options, [cut])), `cut at ${cut}`).toEqual(expected);
  });

  it('count alike in any file, wherever they begin', async () => {
    const unit = fc.constantFrom(
      'a',
      '7',
      '"',
      '""',
      ',',
      ',',
      '\n',
      '\n',
      '\r\n',
      '\r',
      '#',
      '\ufeff',
      'é',
      '\0',
      'NULL',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit, maxLength: 90 }),
        fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 4 }),
        fc.record({ hasHeader: fc.boolean(), skipLines: fc.nat(2), comment: fc.constantFrom('', '#') }),
        async (text, cuts, chosen) => {
          const bytes = encoder.encode(text);
          const options = { ...OPTIONS, ...chosen, nullTokens: ['NULL'] };
          const ranges = await cutAt(
            bytes,
            options,
            cuts.filter((cut) => cut < bytes.length),
          );
          expect(await inRanges(bytes, options, ranges)).toEqual(await inOnePass(bytes, options));
        },
      ),
      { seed: 20266, numRuns: 2_500 },
    );
  });

  it('end where the next one begins, with the records between, in chunks of any size', async () => {
    const bytes = encoder.encode('skip\na,b\r\n"1\n""\r\n",2\r\n3,"4"\n\n#5,6\r7,"8\r\n9"\n##\n');
    const options = { ...OPTIONS, skipLines: 1, comment: '#' };
    const whole = await readAll(await openCsv(bytesSource(bytes), options));
    for (let until = 1; until <= bytes.length; until++) {
      for (const chunkBytes of [1, 2, 3, 5, 7, 100]) {
        const head = { from: 0, until, columns: whole.columns };
        const first = await openCsvRange(bytesSource(bytes), options, head, { chunkBytes, peekBytes: 1 });
        const before = await readAll(first);
        expect(first.position).toBeGreaterThanOrEqual(until);
        const tail = { from: first.position, until: Infinity, columns: whole.columns };
        const rest = await readAll(await openCsvRange(bytesSource(bytes), options, tail, { chunkBytes }));
        expect([...textsOf(before), ...textsOf(rest)]).toEqual(textsOf(whole));
      }
    }
  });
});

const textsOf = ({ records }: ReadFile): readonly string[] => records.map(({ fields }) => JSON.stringify(fields));

/** Three columns, one of them with line breaks and commas. */
function rowsOf(count: number, ending: string): string {
  let text = `id,note,x${ending}`;
  for (let id = 1; text.length < count; id++) {
    const note =
      id % 3 === 0 ? `"a ""note""${ending}of many, many lines${ending}${', and more'.repeat(id % 7)}"` : `plain ${id}`;
    text += `${id},${note},${id % 2 ? 'yes' : ''}${ending}`;
  }
  return text;
}

describe('guessed ranges', () => {
  it('begin where records do, also within quotes, so that nothing is read twice', async () => {
    for (const ending of ['\n', '\r\n', '\r']) {
      const text = rowsOf(40_000, ending);
      const bytes = encoder.encode(text);
      const expected = await inOnePass(bytes, OPTIONS);
      for (let count = 2; count <= 9; count++) {
        const ranges = await csvRanges(bytesSource(bytes), OPTIONS, count, 2_000);
        expect(ranges.length).toBe(count);
        readings = 0;
        expect(await inRanges(bytes, OPTIONS, ranges)).toEqual(expected);
        expect(readings).toBe(count);
      }
    }
  });

  it('are fewer where no record is in sight, and one where lines cannot be told from bytes', async () => {
    const long = encoder.encode(`a,b\n1,"${'x'.repeat(50_000)}"\n2,3\n`);
    const ranges = await csvRanges(bytesSource(long), OPTIONS, 4, 1_000);
    expect(ranges.map(({ from }) => from)).toEqual([0]);
    const wide = new Uint8Array(new Uint16Array([...rowsOf(4_000, '\n')].map((letter) => letter.charCodeAt(0))).buffer);
    expect(await csvRanges(bytesSource(wide), { ...OPTIONS, encoding: 'utf-16le' }, 4)).toHaveLength(1);
  });

  it('that are wrong are read once more', async () => {
    const bytes = encoder.encode(`a,b\n1,"${'x,y\n'.repeat(2_000)}"\n2,3\n`);
    const ranges = await csvRanges(bytesSource(bytes), OPTIONS, 3, 1_000);
    expect(ranges.length).toBe(3);
    expect(await inRanges(bytes, OPTIONS, ranges)).toEqual(await inOnePass(bytes, OPTIONS));
    // The record in which the second range begins ends in the third.
    expect(readings).toBe(4);
  });
});
