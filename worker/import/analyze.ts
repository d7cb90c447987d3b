// Reads a whole file to find what its columns hold and which types they should have.
import type { ImportAnalysis, ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { LibraryContext } from '../library/context.ts';
import { runLongWork, type ProgressCall } from '../library/long-work.ts';
import type { WindowSession } from '../sessions/session.ts';
import { openBytes } from './byte-sources.ts';
import { analysisOf, countFacts } from './facts/count-facts.ts';
import { formatOf } from './formats.ts';
import { isForThread } from './open-records.ts';
import { countFactsInThreads } from './thread/count-in-threads.ts';
import { readingThreads } from './thread/reading-thread.ts';

/** The parts of the library that an analysis uses. */
export type AnalysisContext = Pick<LibraryContext, 'files' | 'monitor' | 'clock'>;

/** A smaller range is read faster than another thread starts. */
const LEAST_RANGE_BYTES = 16 << 20;

/**
 * Other threads read a large file, each a range of it where the format has ranges. A smaller file is read on this thread, which lets other work run after each batch, that is, every few
 * milliseconds.
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
    // A new phase is reported at once, so a growing count must not look like one.
    const report = (bytesRead: number): Promise<void> =>
      work.report({
        phase: 'Reading',
        done: Math.min(bytesRead, bytes.sizeBytes),
        total: bytes.sizeBytes,
        unit: 'bytes',
      });
    const format = formatOf(options.format);
    if (isForThread(bytes)) {
      const ranges = Math.min(readingThreads(), Math.floor(bytes.sizeBytes / LEAST_RANGE_BYTES));
      const file = { source, options, ranges: (await format.ranges?.split(bytes, options, ranges)) ?? null };
      const facts = await countFactsInThreads(context.files, file, report);
      // Its end is where a source notices that the file was changed while it was read.
      await bytes.read(bytes.sizeBytes, 1);
      return analysisOf(facts, options);
    }
    const facts = await countFacts(await format.read(bytes, options), options, async (bytesRead) => {
      await report(bytesRead);
      await context.clock.nextTask();
    });
    return analysisOf([facts], options);
  });
}
