// The databases that a command reads from archives: each is unpacked into a private temporary file, which is removed with the command.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname } from 'node:path';
import { archiveKindOf } from '#shared/archives.ts';
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import type { PackedDatabase } from '#shared/protocol/archive.ts';
import { roomIn } from '../files/free-space.ts';
import { UsageError } from './parse.ts';
import type { CommandSession } from './session.ts';

const HEAD_BYTES = 16;
const NAMES_SAID = 10;

export const UNPACKED = 'It was unpacked from an archive, which is only read. To change it, unpack the archive first.';

/**
 * The path to open in place of `path`: the same, or that of the database that was unpacked from it.
 *
 * @throws UsageError if the archive holds several, AppError `not-a-database`, `invalid`, `unavailable`, `full`
 */
export async function unpackedPath(session: CommandSession, path: string): Promise<string> {
  const { engine, files, options, signal, tell } = session;
  // What is in an encrypted file would not be encrypted in a temporary one.
  if (engine.isEncrypted || !isArchive(path)) return path;
  const source = await files.addSource(path);
  const { databases } = await engine.client.call('archive.list', { source });
  const { name } = chosen(path, databases, options.text('entry'));
  const { path: target, into } = files.addUnpacked(basename(path));
  const mostBytes = await roomIn(dirname(target));
  try {
    await engine.client.call('archive.unpack', { source, name, into, mostBytes }, { signal, onChunk: tell.progress });
  } catch (thrown) {
    if (toAppError(thrown).code !== 'too-big') throw thrown;
    throw AppError.full(
      `“${name}” in “${basename(path)}” is larger than the space for temporary files in “${tmpdir()}”. Nothing was changed. Free some space and try again.`,
    );
  }
  return target;
}

/** The same for a file that may hold rows instead: a workbook is a ZIP file, too. */
export async function unpackedSource(session: CommandSession, path: string): Promise<string> {
  try {
    return await unpackedPath(session, path);
  } catch (thrown) {
    if (toAppError(thrown).code === 'not-a-database') return path;
    throw thrown;
  }
}

function isArchive(path: string): boolean {
  if (path === '-' || statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const file = openSync(path, 'r');
  try {
    const head = new Uint8Array(HEAD_BYTES);
    return archiveKindOf(head.subarray(0, readSync(file, head, 0, HEAD_BYTES, 0))) !== null;
  } finally {
    closeSync(file);
  }
}

/** @param entry the name of the user, with or without folders */
function chosen(path: string, databases: readonly PackedDatabase[], entry: string | undefined): PackedDatabase {
  const isWanted = ({ name }: PackedDatabase): boolean =>
    entry === undefined || name === entry || name.slice(name.lastIndexOf('/') + 1) === entry;
  const wanted = databases.find(({ name }) => name === entry) ?? databases.find(isWanted);
  const names = databases.slice(0, NAMES_SAID).map(({ name }) => `“${name}”`);
  const more = databases.length > NAMES_SAID ? ` and ${databases.length - NAMES_SAID} more` : '';
  const file = basename(path);
  if (!wanted)
    throw AppError.notFound(
      `There is no database “${entry}” in “${file}”, but ${names.join(', ')}${more}. Nothing was changed.`,
    );
  if (entry !== undefined || databases.length === 1) return wanted;
  throw new UsageError(
    `“${file}” holds ${databases.length} databases: ${names.join(', ')}${more}. Choose one with --entry NAME.`,
  );
}
