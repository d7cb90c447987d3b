// Operations on one stored value: parts of it, files, and JSONB.
import { MAX_LOADED_BYTES, type CellOperations } from '#shared/protocol/cell.ts';
import { fail } from '#shared/protocol/errors.ts';
import type { FileToken } from '#shared/protocol/files.ts';
import type { Progress } from '#shared/protocol/library.ts';
import type { CallContext, Handlers } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { cellPast } from '../history/cell-past.ts';
import { historyOf } from '../history/histories.ts';
import { CHUNK_BYTES, FileSink, letGo, type FileClient } from '../library/files.ts';
import { replaceRange, replaceWhole } from '../query/cell-edits.ts';
import { cellPieces, readRange } from '../readers/cell-range.ts';
import { progressReporter } from '../sessions/progress-reporter.ts';
import type { OperationSession, Pause } from '../sessions/session.ts';
import { decodeText } from '#shared/packed-rows/reader.ts';
import { decodeBytes } from '../sql/text-bytes.ts';
import { readWholeFile } from './whole-files.ts';

export interface CellSession extends OperationSession {
  readonly library: { readonly files: FileClient };
}

type FileCall = CallContext<Progress, CellSession>;

/** SQLite reads the whole value for each piece, so that few large pieces are fastest. */
const PIECE_BYTES = 32 * 2 ** 20;
const MAX_EARLIER_VALUES = 50;
/** Largest value, as JSON, that a panel can show at all. */
const MAX_JSON_BYTES = 64 * 2 ** 20;

export const cellHandlers: Handlers<CellOperations, CellSession> = {
  'cell.readRange': ({ database, cell, offset, length }, context) =>
    reading(context, database, `Reading ${cell.column}`, ({ connection }) =>
      readRange(connection, cell, offset, length),
    ),

  async 'cell.replaceRange'({ database, cell, withoutUndo = false, ...change }, context) {
    const title = `Edit ${cell.column} in ${cell.table}`;
    const sizeBytes = await writing(context, database, { title, withoutUndo }, ({ connection }) =>
      replaceRange(connection, cell, change),
    );
    return { sizeBytes };
  },

  async 'cell.save'(params, call) {
    const sink = new FileSink(call.session.library.files, params.sink);
    try {
      const sizeBytes = await saveInPieces(params, call, sink);
      await sink.commit();
      return { sizeBytes };
    } catch (error) {
      await sink.abort();
      throw error;
    }
  },

  async 'cell.load'({ database, cell, source, loadAs, seen, withoutUndo = false }, call) {
    const value = await readValue(call, source, loadAs);
    const title = `Edit ${cell.column} in ${cell.table}`;
    await writing(call, database, { title, withoutUndo }, ({ connection }) =>
      replaceWhole(connection, cell, value.value, seen),
    );
    // After a refusal the user may want to load it again.
    await letGo(call.session.library.files, source);
    return { sizeBytes: value.sizeBytes };
  },

  'cell.past': ({ database, cell }, { session }) =>
    cellPast(historyOf(session.database(database)), cell, MAX_EARLIER_VALUES),

  'cell.convertJson': ({ database, value, convertTo }, context) =>
    reading(context, database, 'Reading JSON', ({ connection }) => {
      if (value.length > MAX_JSON_BYTES) fail('too-big', 'Values larger than 64 MB cannot be converted here.');
      // 8: JSONB in every detail; 1: JSON text as RFC 8259 has it (sqlite.org/json1.html#the_json_valid_function).
      const [flags, convert] = convertTo === 'text' ? [8, 'json'] : [1, 'jsonb'];
      const row = connection.one(`SELECT CASE WHEN json_valid(?1, ${flags}) THEN ${convert}(?1) END`, [value]);
      return (row?.[0] ?? null) as string | Uint8Array | null;
    }),
};

/** The value stays unchanged in the meantime: writes wait until the last piece is read. */
function saveInPieces(
  { database, cell }: CellOperations['cell.save']['params'],
  call: FileCall,
  sink: FileSink,
): Promise<number> {
  const report = progressReporter(call.emit);
  const work = { title: `Saving ${cell.column}`, pausesReading: true };
  return reading(call, database, work, function* (turn): Generator<Pause, number> {
    let failure: { readonly error: unknown } | null = null;
    let saved = 0;
    for (const { bytes, encoding, end, sizeBytes } of cellPieces(turn.connection, cell, PIECE_BYTES)) {
      if (turn.stopRequested) fail('stopped', 'Stopped. No file was written.');
      saved = end;
      report({ phase: 'Saving', done: end, total: sizeBytes, unit: 'bytes' });
      const written = write(
        sink,
        encoding === 'utf-8' ? bytes : new TextEncoder().encode(String(decodeBytes(bytes, encoding))),
      );
      turn.pauseUntil(written.catch((error: unknown) => void (failure = { error })));
      yield 'reading';
      if (failure) throw (failure as { readonly error: unknown }).error;
    }
    return saved;
  });
}

async function write(sink: FileSink, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) await sink.write(bytes.slice(at, at + CHUNK_BYTES));
}

async function readValue(
  call: FileCall,
  source: FileToken,
  loadAs: 'text' | 'blob',
): Promise<{ readonly value: string | Uint8Array; readonly sizeBytes: number }> {
  const { files } = call.session.library;
  const report = progressReporter(call.emit);
  const limit = { what: 'one value', bytes: MAX_LOADED_BYTES };
  const { bytes } = await readWholeFile(files, source, limit, (done, total) => {
    if (call.canceled) fail('stopped', 'Stopped. Nothing was changed.');
    report({ phase: 'Reading', done, total, unit: 'bytes' });
  });
  const sizeBytes = bytes.length;
  const value = loadAs === 'blob' ? bytes : decodeText(bytes);
  if (value instanceof Uint8Array || typeof value === 'string') return { value, sizeBytes };
  // The file stays open: the user may want to load it as a blob.
  fail('invalid', 'The file is not UTF-8 text. Nothing was changed. Load it as a blob instead.');
}
