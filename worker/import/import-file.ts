// One import from its plan to its reply: opens the file, waits for the database, keeps what could not be imported.
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { ImportPlan, RowsImportReply } from '#shared/protocol/import.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext } from '#shared/rpc/server.ts';
import type { FileClient } from '../library/files.ts';
import type { RecordReader } from '../records/record-batch.ts';
import type { DatabaseSession, WindowSession } from '../sessions/session.ts';
import { newRun } from '../sessions/work-origin.ts';
import { openBytes } from './byte-sources.ts';
import { keepImport } from './import-log.ts';
import type { EndedImport } from './import-log.ts';
import { mendedRecords } from './mended-records.ts';
import { openRecords } from './open-records.ts';
import { ProblemLog } from './problem-log.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import { importRecords } from './run.ts';

export interface ImportJob {
  readonly database: DatabaseSession;
  readonly window: WindowSession;
  readonly plan: ImportPlan;
  readonly withoutUndo: boolean;
}

type Call = Pick<CallContext<Progress>, 'id' | 'emit' | 'onCancel'>;

interface Records {
  readonly reader: RecordReader;
  readonly fileName: string;
  readonly sizeBytes: number;
}

/** @throws AppError, after which everything is as before; when records had problems, `detail.import` identifies the import log */
export async function importFile(files: FileClient, job: ImportJob, call: Call): Promise<RowsImportReply> {
  const bytes = await openBytes(files, job.plan.source);
  const reader = await openRecords({ files, source: job.plan.source, options: job.plan.options }, bytes);
  return importAll(job, { reader, fileName: bytes.fileName, sizeBytes: bytes.sizeBytes }, call);
}

/** The table exists now and contains the rows without problems. */
export function importMended(
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
  const reader = mendedRecords(ended, records);
  return importAll(
    { ...job, plan },
    { reader, fileName: ended.fileName, sizeBytes: records.length },
    { ...call, emit: () => Promise.resolve() },
  );
}

async function importAll(
  { database, window, plan, withoutUndo }: ImportJob,
  { reader, fileName, sizeBytes }: Records,
  { id: call, onCancel, emit }: Call,
): Promise<RowsImportReply> {
  const started = performance.now();
  const problems = new ProblemLog();
  const title = `Import ${fileName} into ${plan.target.table}`;
  const keep = (): string =>
    keepImport(database, window, { plan, fileName, columns: [...reader.columns], problems: problems.kept });
  try {
    const done = await database.enqueue({
      window,
      kind: 'write',
      title,
      call,
      onCancel,
      origin: { title, sql: null, run: newRun(), withoutUndo },
      body: (turn) => importRecords(turn, { plan, reader, sizeBytes, problems, report: progressReporter(emit) }),
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
  } finally {
    reader.close?.();
  }
}
