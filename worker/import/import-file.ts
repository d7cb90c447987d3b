// One import from its plan to its reply: opens the file, waits for the database, keeps what could not be imported.
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type {
  ImportAnalysis,
  ImportPlan,
  RowsImportReply,
  ImportOptions,
  ImportSource,
  ImportProblem,
  DetectedSource,
} from '#shared/protocol/import.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import { runLongWork, type ProgressCall } from '../library/long-work.ts';
import { BatchWriter } from '../records/batch-writer.ts';
import { FIELD } from '../records/record-batch.ts';
import type { ByteSource, RecordReader, RecordBatch, RecordProblem } from '../records/record-batch.ts';
import type { DatabaseSession, WindowSession } from '../sessions/session.ts';
import { openBytes } from './byte-sources.ts';
import { guessTypes, hasOpenTypes, OtherTypes, withTypes } from './open-types.ts';
import { ProblemLog } from './problem-log.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import { importRecords, type ImportRun } from './run.ts';
import {
  isForThread,
  readAndCountInThread,
  countFactsInThread,
  detectInThread,
  readInThread,
} from './thread/reading-thread.ts';
import type { CountedReader } from './thread/reading-thread.ts';
import type { LibraryContext } from '../library/context.ts';
import { countFacts } from './facts/fact-counter.ts';
import { formatOf } from './formats.ts';
import type { FileClient } from '../library/files.ts';
import { detectSource } from './detect-source.ts';

interface ImportJob {
  readonly database: DatabaseSession;
  readonly window: WindowSession;
  readonly plan: ImportPlan;
  readonly withoutUndo: boolean;
}

type Call = Pick<CallContext<Progress>, 'id' | 'emit' | 'onCancel'>;
type FileCall = Call & ProgressCall;

type File = Pick<ByteSource, 'fileName' | 'sizeBytes'>;

interface Records extends Pick<ImportRun, 'isRefuted'> {
  readonly reader: RecordReader;
  readonly file: File;
}

/** @throws AppError, after which everything is as before; when records had problems, `detail.import` identifies the import log */
export async function importFile(context: AnalysisContext, job: ImportJob, call: FileCall): Promise<RowsImportReply> {
  const { files } = context;
  const { source, options } = job.plan;
  const bytes = await openBytes(files, source);
  const importWith = async (plan: ImportPlan): Promise<RowsImportReply> => {
    const reader = await openRecords({ files, source, options }, bytes, call.onCancel);
    return importAll({ ...job, plan }, { reader, file: bytes }, call).finally(() => reader.close?.());
  };
  if (!hasOpenTypes(job.plan)) return importWith(job.plan);
  const counted = isForThread(bytes)
    ? await importCounting(context, { job, file: bytes }, call)
    : { analysis: await analyze(context, { source, options, window: job.window }, call) };
  if ('reply' in counted) return counted.reply;
  const { analysis } = counted;
  return { ...(await importWith(withTypes(job.plan, analysis.columns))), analysis };
}

interface FileJob {
  readonly job: ImportJob;
  readonly file: File;
}

/**
 * Imports with the types that the beginning of the file suggests, while all of it is counted. If the rest suggests others, nothing is
 * imported, and what the file holds is returned instead.
 * @throws AppError as {@link importFile}
 */
async function importCounting(
  context: AnalysisContext,
  { job, file }: FileJob,
  call: FileCall,
): Promise<{ readonly reply: RowsImportReply } | { readonly analysis: ImportAnalysis }> {
  const { source, options } = job.plan;
  const reader = await readAndCountInThread(context.files, { source, options }, call.onCancel);
  try {
    const { plan, isRefuted } = guessTypes(job.plan, reader);
    const reply = await importAll({ ...job, plan }, { reader, file, isRefuted }, call);
    return { reply: { ...reply, analysis: reader.analysis! } };
  } catch (error) {
    if (!(error instanceof OtherTypes)) throw error;
    return { analysis: await countRest(context, reader, { job, file }, call) };
  } finally {
    reader.close();
  }
}

function countRest(
  context: AnalysisContext,
  reader: CountedReader,
  { job: { plan, window }, file: { fileName, sizeBytes } }: FileJob,
  call: FileCall,
): Promise<ImportAnalysis> {
  const title = { window, databaseName: fileName, title: titleOf(plan, fileName) };
  return runLongWork(context, title, call, async (work) => {
    while ((await reader.next()) !== null) {
      reader.takeProblems();
      reader.takeNotices?.();
      const done = Math.min(reader.bytesRead, sizeBytes);
      await work.report({ phase: 'Finding the types', done, total: sizeBytes, unit: 'bytes' });
    }
    return reader.analysis!;
  });
}

/** The table exists now and contains the rows without problems. */
export function importCorrected(
  job: Omit<ImportJob, 'plan'>,
  ended: EndedImport,
  records: readonly (readonly string[] | null)[],
  call: Omit<Call, 'emit'>,
): Promise<RowsImportReply> {
  const { target } = ended.plan;
  const plan: ImportPlan = {
    ...ended.plan,
    target:
      target.kind === 'table' && target.mode === 'upsert'
        ? target
        : { kind: 'table', table: target.table, mode: 'append', key: [], existing: 'skip' },
    columns: ended.plan.columns.map(({ isNew: _added, ...column }) => column),
  };
  const reader = correctedRecords(ended, records);
  return importAll(
    { ...job, plan },
    { reader, file: { fileName: ended.fileName, sizeBytes: records.length } },
    { ...call, emit: () => Promise.resolve() },
  );
}

async function importAll(
  { database, window, plan, withoutUndo }: ImportJob,
  { reader, file: { fileName, sizeBytes }, isRefuted }: Records,
  { id: call, onCancel, emit }: Call,
): Promise<RowsImportReply> {
  const started = performance.now();
  const problems = new ProblemLog();
  const title = titleOf(plan, fileName);
  const keep = (): string =>
    keepImport(database, window, { plan, fileName, columns: [...reader.columns], problems: problems.kept });
  try {
    const done = await database.enqueue({
      window,
      kind: 'write',
      title,
      call,
      onCancel,
      withoutUndo,
      body: (turn) =>
        importRecords(turn, { plan, reader, sizeBytes, problems, isRefuted, report: progressReporter(emit) }),
    });
    return {
      ...done,
      id: keep(),
      problems: problems.count,
      keptProblems: problems.kept.length,
      timeMs: performance.now() - started,
    };
  } catch (error) {
    if (!(error instanceof AppError) || problems.count === 0) throw error;
    throw new AppError({ ...toErrorData(error), detail: { ...error.detail, import: keep() } });
  }
}

const titleOf = ({ target }: ImportPlan, fileName: string): string => `Import ${fileName} into ${target.table}`;

/** @param records null: one that could not be read and was not corrected, which stays a problem */
function correctedRecords(
  { columns, problems }: Pick<EndedImport, 'columns' | 'problems'>,
  records: readonly (readonly string[] | null)[],
): RecordReader {
  let at = 0;
  let unread: RecordProblem[] = [];
  return {
    columns,
    get bytesRead() {
      return at;
    },
    takeProblems() {
      const taken = unread;
      unread = [];
      return taken;
    },
    next(): Promise<RecordBatch | null> {
      if (at >= records.length) return Promise.resolve(null);
      const writer = new BatchWriter();
      while (at < records.length && !writer.isFull) {
        const fields = records[at++]!;
        if (fields === null) {
          const { reason = '', fields: [text = ''] = [] } = problems[at - 1] ?? {};
          unread.push({ line: at, reason, text });
          continue;
        }
        writer.begin(at);
        for (const field of fields) {
          if (field === '') writer.bare(FIELD.empty);
          else writer.text(FIELD.text, field);
        }
        writer.end(columns.length);
      }
      return Promise.resolve(writer.take());
    },
  };
}

// Reads a whole file to find what its columns hold and which types they should have.

/** The parts of the library that an analysis uses. */
type AnalysisContext = Pick<LibraryContext, 'files' | 'monitor' | 'clock'>;

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

// Finished imports of a window: the user can look at records that were not imported, correct them, and import them again.

/** Limit for one window and database. */
const MAX_KEPT = 8;

interface EndedImport {
  readonly plan: ImportPlan;
  readonly fileName: string;
  readonly columns: readonly string[];
  readonly problems: readonly ImportProblem[];
}

const imports = new WeakMap<DatabaseSession, Map<WindowSession, Map<string, EndedImport>>>();
let lastId = 0;

/** Returns its id. */
function keepImport(database: DatabaseSession, window: WindowSession, ended: EndedImport): string {
  const ofWindows = imports.get(database) ?? new Map<WindowSession, Map<string, EndedImport>>();
  imports.set(database, ofWindows);
  let kept = ofWindows.get(window);
  if (!kept) {
    ofWindows.set(window, (kept = new Map<string, EndedImport>()));
    database.onLeave(window, () => ofWindows.delete(window));
  }
  const id = `import-${++lastId}`;
  kept.set(id, ended);
  const [oldest] = kept.keys();
  if (kept.size > MAX_KEPT) kept.delete(oldest!);
  return id;
}

/** @throws AppError `not-found` */
export function endedImport(database: DatabaseSession, window: WindowSession, id: string): EndedImport {
  const ended = imports.get(database)?.get(window)?.get(id);
  if (ended) return ended;
  throw AppError.notFound('The rows that this import left out are no longer kept. Import the file again.');
}

// Opens a file to be imported. Where the engine's thread serves databases and windows, other threads do all the reading, however small the file
// is: a few kilobytes can take seconds to be read. A command, which waits for its file alone, reads a small one itself.

interface FileToRead {
  readonly files: FileClient;
  readonly source: ImportSource;
  readonly options: ImportOptions;
}

type OnCancel = (listener: () => void) => void;

/** @throws AppError what the format throws */
export async function openRecords(
  { files, source, options }: FileToRead,
  bytes: ByteSource,
  onCancel?: OnCancel,
): Promise<RecordReader> {
  if (isForThread(bytes)) return readInThread(files, { source, options }, onCancel);
  return formatOf(options.format).read(bytes, options);
}

/** @throws as {@link detectSource} */
export const detectFile = (
  files: FileClient,
  source: ImportSource,
  options: Partial<ImportOptions>,
  onCancel: OnCancel,
): Promise<DetectedSource> =>
  isForThread({ sizeBytes: 0 })
    ? detectInThread(files, { source, options }, onCancel)
    : detectSource(files, source, options);
