// Integrity checks: of small files at once, of large ones by the inspector, so that others get their turn and Stop works.
import { fail } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { FileFindings } from '#shared/protocol/session.ts';
import type { Connection } from '../engines/engine.ts';
import { checkFile } from '../engines/file-check.ts';
import { Inspection } from '../inspector/inspection.ts';
import type { InspectionKind } from '../inspector/reply.ts';
import type { Pause, Turn } from '../sessions/session.ts';

/** Up to this size SQLite needs about 0.1 s, which is what an inspector takes to start. */
const SMALL_BYTES = 16 * 1024 * 1024;
/** SQLite computes these for each row, or asks a virtual table, which can take any time: 60 rows with a CHECK that makes 16 MB take a second. */
const IS_COMPUTED = /\b(?:check|as|virtual)\b/i;
const LOOK_EVERY_MS = 50;

/**
 * For work of the kind `file`: while the inspector reads, others read on and
 * writes wait, because it must find the file as it began.
 */
export function* checkDatabase(
  turn: Turn,
  kind: InspectionKind,
  onProgress: (progress: Progress) => void = () => undefined,
): Generator<Pause, FileFindings, undefined> {
  const { connection } = turn;
  // Uncommitted changes are in no file.
  if (!connection.autocommit || connection.fileSizeBytes <= SMALL_BYTES) return checkFile(connection, kind);
  connection.checkpoint();
  const inspection = new Inspection(connection, kind);
  const outcome = new Outcome(inspection);
  turn.measureBy(() => progressOf(inspection));
  try {
    while (!outcome.settled) {
      if (turn.stopRequested) fail('stopped', 'The check was stopped.');
      onProgress(progressOf(inspection));
      turn.pauseUntil(Promise.race([outcome.whenSettled, pause()]));
      yield 'reading';
    }
    return outcome.findings();
  } finally {
    turn.measureBy(null);
    inspection.end();
  }
}

/** Checks through a connection that only the caller uses. `report` throws to stop it. */
export async function checkCopy(
  connection: Connection,
  report: (progress: Progress) => Promise<void>,
): Promise<FileFindings> {
  await report({ phase: 'Checking', done: 0, total: null, unit: 'bytes' });
  if (connection.fileSizeBytes <= SMALL_BYTES && isStored(connection)) return checkFile(connection, 'quick');
  connection.checkpoint();
  const inspection = new Inspection(connection, 'quick');
  const outcome = new Outcome(inspection);
  try {
    while (!outcome.settled) {
      await report(progressOf(inspection));
      await Promise.race([outcome.whenSettled, pause()]);
    }
    return outcome.findings();
  } finally {
    inspection.end();
  }
}

/** Whether the rows of all tables are only read to be checked. */
const isStored = (connection: Connection): boolean =>
  connection
    .all("SELECT sql FROM main.sqlite_schema WHERE type = 'table'")
    .every(([sql]) => !IS_COMPUTED.test(String(sql)));

const progressOf = ({ progress }: Inspection): Progress => ({ phase: 'Checking', ...progress, unit: 'bytes' });

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/** A promise's outcome for a caller that polls. */
class Outcome {
  settled = false;
  readonly whenSettled: Promise<void>;
  #findings: FileFindings | null = null;
  #error: unknown;

  constructor({ result }: Inspection) {
    this.whenSettled = result.then(
      (findings) => {
        this.#findings = findings;
        this.settled = true;
      },
      (error: unknown) => {
        this.#error = error;
        this.settled = true;
      },
    );
  }

  findings(): FileFindings {
    if (this.#findings) return this.#findings;
    throw this.#error;
  }
}
