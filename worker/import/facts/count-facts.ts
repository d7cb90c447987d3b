// One pass over the records of a file, or of a part of it, that counts what the columns hold.
import type { ImportAnalysis } from '#shared/protocol/import.ts';
import type { RecordReader } from '../../records/record-batch.ts';
import { FactCounter, type ColumnCounts } from './fact-counter.ts';
import type { FactOptions } from './suggest-type.ts';

export interface CountedFacts extends ColumnCounts {
  readonly columns: readonly string[];
  readonly problems: number;
  /** Position in the file where reading ended, for readers of a part. */
  readonly end: number;
}

/** @param report called after each batch, with the bytes of the file that are read; an error it throws ends the pass */
export async function countFacts(
  reader: RecordReader & { readonly position?: number },
  options: FactOptions,
  report: (bytesRead: number) => Promise<void> | void,
): Promise<CountedFacts> {
  const counter = new FactCounter(options);
  let problems = 0;
  for (;;) {
    const batch = await reader.next();
    problems += reader.takeProblems().length;
    // They do not matter here; the import reports them.
    reader.takeNotices?.();
    if (batch === null) break;
    counter.add(batch);
    await report(reader.bytesRead);
  }
  const { counts, records } = counter;
  return { columns: [...reader.columns], counts, records, problems, end: reader.position ?? reader.bytesRead };
}

/** @param parts of one file, in order: the columns are those of the first */
export function analysisOf(parts: readonly CountedFacts[], options: FactOptions): ImportAnalysis {
  const counter = new FactCounter(options);
  for (const part of parts) counter.addCounts(part);
  const problems = parts.reduce((sum, part) => sum + part.problems, 0);
  return { records: counter.records, columns: counter.facts(parts[0]!.columns), problems };
}
