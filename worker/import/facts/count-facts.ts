// One pass over a whole file that counts what its columns hold.
import type { ColumnFacts, ImportAnalysis } from '#shared/protocol/import.ts';
import type { RecordBatch, RecordProblem, RecordReader } from '../../records/record-batch.ts';
import { FactCounter } from './fact-counter.ts';
import type { FactOptions } from './suggest-type.ts';

/** @param report after each batch, with the bytes of the file that are read; what it throws ends the pass */
export async function countFacts(
  reader: RecordReader,
  options: FactOptions,
  report: (bytesRead: number) => Promise<void> | void,
): Promise<ImportAnalysis> {
  const count = new AnalysisCount(options);
  for (;;) {
    const batch = await reader.next();
    count.add(batch, reader.takeProblems());
    // They do not matter here; the import reports them.
    reader.takeNotices?.();
    if (batch === null) return count.analysis(reader.columns);
    await report(reader.bytesRead);
  }
}

/** An analysis that grows batch by batch. */
export class AnalysisCount {
  readonly #counter: FactCounter;
  #problems = 0;
  #firstProblem: ImportAnalysis['firstProblem'] = null;

  constructor(options: FactOptions) {
    this.#counter = new FactCounter(options);
  }

  /** @param unread problems of the reader since the last batch */
  add(batch: RecordBatch | null, unread: readonly RecordProblem[]): void {
    this.#problems += unread.length;
    if (this.#firstProblem === null && unread[0])
      this.#firstProblem = { line: unread[0].line, reason: unread[0].reason };
    if (batch !== null) this.#counter.add(batch);
  }

  /** @param columns of the reader by now */
  facts(columns: readonly string[]): readonly ColumnFacts[] {
    return this.#counter.facts(columns);
  }

  analysis(columns: readonly string[]): ImportAnalysis {
    return {
      records: this.#counter.records,
      columns: this.facts(columns),
      problems: this.#problems,
      firstProblem: this.#firstProblem,
    };
  }
}
