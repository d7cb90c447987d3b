// Reads a whole file to find what its columns hold and which types they should have.
import type { ImportAnalysis, ImportOptions, ImportSource } from '#shared/protocol/import.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { LibraryContext } from '../library/context.ts';
import { runLongWork, type ProgressCall } from '../library/long-work.ts';
import type { WindowSession } from '../sessions/session.ts';
import { openBytes } from './byte-sources.ts';
import { countFacts } from './facts/count-facts.ts';
import { formatOf } from './formats.ts';
import { countFactsInThread, isForThread } from './thread/reading-thread.ts';

/** The parts of the library that an analysis uses. */
export type AnalysisContext = Pick<LibraryContext, 'files' | 'monitor' | 'clock'>;

/**
 * Another thread reads the file. Where there is none, this one does, and lets other work run after each batch.
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
  call: ProgressCall & Pick<CallContext<Progress>, 'onCancel'>,
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
    if (isForThread(bytes)) return countFactsInThread(context.files, { source, options }, report, call.onCancel);
    return countFacts(await formatOf(options.format).read(bytes, options), options, async (bytesRead) => {
      await report(bytesRead);
      await context.clock.nextTask();
    });
  });
}
