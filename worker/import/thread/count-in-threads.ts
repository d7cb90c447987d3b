// Counts what the columns of a large file hold in as many threads as there are ranges of it. A range whose beginning was guessed wrong is
// read once more, from where the records before it end: a wrong guess takes time and changes nothing.
import type { ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { FileClient } from '../../library/files.ts';
import type { RecordRange } from '../../records/record-batch.ts';
import type { CountedFacts } from '../facts/count-facts.ts';
import { outOfOrder, Reading } from './reading-thread.ts';

export interface FileInRanges {
  readonly source: ImportSource;
  readonly options: ImportOptions;
  /** Null: the format has no ranges. */
  readonly ranges: readonly RecordRange[] | null;
}

/**
 * @param report called with the bytes that are read; an error it throws ends the reading
 * @returns facts that make up those of the file
 * @throws AppError what the format throws
 */
export async function countFactsInThreads(
  files: FileClient,
  { source, options, ranges }: FileInRanges,
  report: (bytesRead: number) => Promise<void>,
): Promise<readonly CountedFacts[]> {
  const readings: Reading[] = [];
  /** Bytes read of each range. */
  const bytesRead = (ranges ?? [null]).map(() => 0);
  const count = async (range: RecordRange | null, at: number): Promise<CountedFacts> => {
    const reading = new Reading(files, { t: 'begin', task: { kind: 'facts', range }, source, options });
    readings.push(reading);
    for (;;) {
      const message = await reading.take();
      if (message.t === 'facts') {
        reading.end();
        return message.facts;
      }
      if (message.t !== 'counted') throw outOfOrder();
      bytesRead[at] = Math.max(bytesRead[at]!, message.bytesRead);
      await report(bytesRead.reduce((sum, bytes) => sum + bytes, 0));
    }
  };
  try {
    const first = await Promise.all((ranges ?? [null]).map(count));
    const facts = [first[0]!];
    for (const [at, range] of (ranges ?? []).entries()) {
      const { end } = facts.at(-1)!;
      if (at === 0 || end >= range.until) continue;
      facts.push(end === range.from ? first[at]! : await count({ ...range, from: end }, at));
    }
    return facts;
  } finally {
    for (const reading of readings) reading.end();
  }
}
