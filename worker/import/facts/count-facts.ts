// One pass over a whole file that counts what its columns hold.
import type { ImportAnalysis } from '#shared/protocol/import.ts';
import type { RecordReader } from '../../records/record-batch.ts';
import { FactCounter } from './fact-counter.ts';
import type { FactOptions } from './suggest-type.ts';

/** @param report after each batch, with the bytes of the file that are read; what it throws ends the pass */
export async function countFacts(
  reader: RecordReader,
  options: FactOptions,
  report: (bytesRead: number) => Promise<void> | void,
): Promise<ImportAnalysis> {
  const counter = new FactCounter(options);
  let problems = 0;
  let firstProblem: ImportAnalysis['firstProblem'] = null;
  for (;;) {
    const batch = await reader.next();
    const unread = reader.takeProblems();
    problems += unread.length;
    if (firstProblem === null && unread[0]) firstProblem = { line: unread[0].line, reason: unread[0].reason };
    // They do not matter here; the import reports them.
    reader.takeNotices?.();
    if (batch === null) break;
    counter.add(batch);
    await report(reader.bytesRead);
  }
  return { records: counter.records, columns: counter.facts(reader.columns), problems, firstProblem };
}
