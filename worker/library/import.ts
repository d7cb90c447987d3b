// Imports a file into the library: inspects it first, streams it over in constant memory, checks the copy, adds it.
import { describeUnchecked } from '#shared/file-findings.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { FilePart, FileToken, SourceFileInfo } from '#shared/protocol/files.ts';
import type { ImportReply, LibrarySource } from '#shared/protocol/library.ts';
import type { Connection } from '../engines/engine.ts';
import { freeBuffer } from '../threads/free-buffer.ts';
import type { WindowSession } from '../sessions/session.ts';
import type { Baseline } from './baselines.ts';
import { checkCopy } from './check.ts';
import type { LibraryContext } from './context.ts';
import { checkHeader, damaged, HEADER_BYTES } from './file-header.ts';
import { assertUnchanged, letGo, readChunks } from './files.ts';
import { runLongWork, type LongWork, type ProgressCall } from './long-work.ts';
import { cleanName, nameFromFile } from './names.ts';
import { buildNewFile, createEmpty } from './new-file.ts';

interface ImportRequest {
  readonly source: FileToken;
  readonly name?: string;
  readonly isTemporary?: boolean;
}

export async function importFile(
  context: LibraryContext,
  window: WindowSession,
  { source, name, isTemporary = false }: ImportRequest,
  call: ProgressCall,
): Promise<ImportReply> {
  const { files } = context;
  const info = await files.call('file.info', { token: source });
  const title = { window, databaseName: info.fileName, title: `Importing ${info.fileName}` };
  try {
    const reply = await runLongWork(context, title, call, async (work) => {
      const { empty, usesWal } = checkHeader(await readHead(context, source), info);
      const { entry, built } = await buildNewFile(context, async (file) => {
        const copy = empty ? createEmptyNoted(context, file) : await copyAndCheck(context, source, info, file, work);
        const baseline = isTemporary ? null : await baselineOf(context, info, copy.mark);
        return {
          ...copy,
          name: name ? cleanName(name) : nameFromFile(info.fileName),
          source: isTemporary ? null : sourceOf(info),
          baseline,
        };
      });
      const warning = usesWal ? missingLog(info) : null;
      return { entry, notes: built.notes, ...(warning !== null && { warning }) };
    });
    await letGo(files, source);
    return reply;
  } catch (error) {
    // A damaged file keeps its token: the next question is whether to salvage it.
    if (!(error instanceof AppError && error.detail?.['salvage'] === true)) await letGo(files, source);
    throw error;
  }
}

export function sourceOf(info: SourceFileInfo): LibrarySource {
  const { fileName, displayPath, locationId } = info;
  return { fileName, displayPath, locationId, importedAtMs: Date.now() };
}

export async function readHead({ files }: Pick<LibraryContext, 'files'>, token: FileToken): Promise<Uint8Array> {
  return files.call('file.read', { token, part: 'main', offset: 0, length: HEADER_BYTES });
}

/** Destination for files that are named like those of the pool. */
interface CopyContext extends Pick<LibraryContext, 'files'> {
  readonly pool: Pick<LibraryContext['pool'], 'createWriter'>;
}

/**
 * Copies the file and the files beside it. The WAL and the hot journal are copied unchanged, because only SQLite itself reads them
 * correctly: opening the copy shows what every other tool shows.
 */
export async function copyParts(
  { files, pool }: CopyContext,
  token: FileToken,
  info: SourceFileInfo,
  file: string,
  work: Pick<LongWork, 'report'>,
): Promise<void> {
  const parts: readonly (readonly [part: FilePart, name: string, sizeBytes: number])[] = [
    ['main', file, info.sizeBytes],
    ['wal', `${file}-wal`, info.walSizeBytes],
    ['journal', `${file}-journal`, info.journalSizeBytes],
  ];
  const total = parts.reduce((sum, [, , sizeBytes]) => sum + sizeBytes, 0);
  let done = 0;
  for (const [part, name, sizeBytes] of parts) {
    if (sizeBytes === 0) continue;
    const writer = pool.createWriter(name);
    try {
      for await (const chunk of readChunks(files, token, part, sizeBytes)) {
        writer.write(chunk);
        done += chunk.length;
        freeBuffer(chunk);
        await work.report({ phase: 'Copying', done, total, unit: 'bytes' });
      }
      writer.finish();
    } catch (error) {
      writer.abort();
      throw error;
    }
  }
  await assertUnchanged(files, token, info);
}

function createEmptyNoted(context: LibraryContext, file: string): Copy {
  createEmpty(context, file);
  const connection = context.engine.open(file, { durability: 'full' });
  const mark = connection.commitMark;
  connection.close();
  const note = 'The file is empty (0 bytes). SQLite treats such a file as an empty database, and so does Sidelite.';
  return { notes: [note], mark };
}

/** Facts about a new copy, to be recorded with its origin. */
interface Copy {
  readonly notes: readonly string[];
  /** `Connection.commitMark` of it. */
  readonly mark: string;
}

/** Null when the file was changed since: then it is unknown whether both were the same. */
export async function baselineOf(
  { files }: LibraryContext,
  { locationId, sizeBytes, modifiedAtMs, walSizeBytes }: SourceFileInfo,
  copyMark: string,
): Promise<Baseline | null> {
  if (locationId === null) return null;
  const state = await files.call('source.stat', { locationId });
  if (state.found !== 'file') return null;
  const { print } = state;
  const isSame =
    print.sizeBytes === sizeBytes && print.modifiedAtMs === modifiedAtMs && print.walSizeBytes === walSizeBytes;
  return isSame ? { source: print, copyMark, atMs: Date.now() } : null;
}

export async function copyAndCheck(
  context: LibraryContext,
  token: FileToken,
  info: SourceFileInfo,
  file: string,
  work: LongWork,
): Promise<Copy> {
  await copyParts(context, token, info, file, work);
  const connection = openCopy(context, file, info);
  try {
    const notes = noteSideFiles(connection, info);
    connection.onProgress(() => work.tick());
    const findings = await checkCopy(connection, (progress) => work.report(progress));
    const [problem] = findings.messages;
    if (problem !== undefined) throw damaged(info, problem.split('\n')[0]!, true);
    connection.checkpoint();
    const unchecked = describeUnchecked(findings);
    return { notes: [...notes, ...(unchecked === null ? [] : [unchecked])], mark: connection.commitMark };
  } catch (error) {
    throw asDamage(error, info);
  } finally {
    connection.close();
  }
}

function openCopy({ engine }: LibraryContext, file: string, info: SourceFileInfo): Connection {
  try {
    return engine.open(file, { durability: 'full', isOfOthers: true });
  } catch (error) {
    throw asDamage(error, info);
  }
}

/** An error about our copy being malformed is reported as damage of the user's file. */
function asDamage(error: unknown, info: SourceFileInfo): unknown {
  if (!(error instanceof AppError) || error.detail?.['salvage'] !== undefined) return error;
  if (error.code === 'corrupt') return damaged(info, 'SQLite found invalid pages', true);
  if (error.code === 'not-a-database') return damaged(info, 'its header is not what SQLite writes', true);
  return error;
}

/** Null when it is known that nothing is missing. */
function missingLog({ fileName, onlyChosenSideFiles, walSizeBytes }: SourceFileInfo): string | null {
  if (onlyChosenSideFiles !== true || walSizeBytes > 0) return null;
  return `“${fileName}” may be missing its latest changes: it is in WAL mode, and what was committed last may be in “${fileName}-wal” next to it, which a browser cannot see. If there is such a file, remove this database from the library and open both files together.`;
}

function noteSideFiles(connection: Connection, info: SourceFileInfo): readonly string[] {
  const notes: string[] = [];
  if (info.journalSizeBytes > 0) {
    notes.push(
      `A rollback journal was found next to “${info.fileName}”: an unfinished transaction of another program was rolled back in the copy, as every SQLite tool does. The file itself was not changed.`,
    );
  }
  if (info.walSizeBytes > 0) {
    const frames = Number(connection.one('PRAGMA wal_checkpoint(PASSIVE)')?.[1] ?? 0);
    notes.push(
      frames > 0
        ? `A write-ahead log (WAL) was found next to “${info.fileName}”: the ${frames} pages committed in it are part of the copy. The file itself was not changed.`
        : `The write-ahead log (WAL) next to “${info.fileName}” contained nothing that was committed.`,
    );
  }
  return notes;
}
