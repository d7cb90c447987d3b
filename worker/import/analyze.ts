// Looks through a whole file: what its columns hold, and which types they should have.
import type { ImportAnalysis, ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { LibraryContext } from '../library/context.ts';
import { runLongWork, type ProgressCall } from '../library/long-work.ts';
import type { WindowSession } from '../sessions/session.ts';
import { openBytes } from './byte-sources.ts';
import { FactCounter } from './facts/fact-counter.ts';
import { formatOf } from './formats.ts';

/** What this needs of the library. */
export type AnalysisContext = Pick<LibraryContext, 'files' | 'monitor' | 'clock'>;

/**
 * Whoever else wants something of this thread has a turn after each batch, which takes milliseconds.
 *
 * @throws AppError `stopped`, and what the reader of the format throws
 */
export async function analyze(
  context: AnalysisContext,
  {
    source,
    options,
    window,
  }: { readonly source: ImportSource; readonly options: ImportOptions; readonly window: WindowSession },
  call: ProgressCall,
): Promise<ImportAnalysis> {
  const bytes = await openBytes(context.files, source);
  const title = { window, databaseName: bytes.fileName, title: `Column types of ${bytes.fileName}` };
  return runLongWork(context, title, call, async (work) => {
    const reader = await formatOf(options.format).read(bytes, options);
    const counter = new FactCounter(options);
    let problems = 0;
    for (;;) {
      const batch = await reader.next();
      problems += reader.takeProblems().length;
      // Nobody asks for them here; they are told when the file is imported.
      reader.takeNotices?.();
      if (batch === null) break;
      counter.add(batch);
      // A new phase is told at once; what grows is not to be one.
      await work.report({
        phase: 'Reading',
        done: Math.min(reader.bytesRead, bytes.sizeBytes),
        total: bytes.sizeBytes,
        unit: 'bytes',
      });
      await context.clock.nextTask();
    }
    return { records: counter.records, columns: counter.facts(reader.columns), problems };
  });
}
