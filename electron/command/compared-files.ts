// The two databases that `sidelite diff` compares.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { unpackedPath } from './archives.ts';
import { isRevision, readRevision } from '../git/read-revision.ts';
import { UsageError } from './parse.ts';
import type { CommandSession } from './session.ts';

/** @throws UsageError, AppError */
export async function openCompared(
  session: CommandSession,
  from: string,
  to: string,
): Promise<readonly [DatabaseId, DatabaseId]> {
  if (from === '-' && to === '-') throw new UsageError('Only one of A and B can be standard input.');
  const path = await pathFor(session, from);
  const mine = await session.engine.open(path, { access: 'read' });
  const other = await pathFor(session, to);
  // A hard link is another name of a file that is open, which cannot be opened twice.
  const isSame = fileAt(other) !== null && fileAt(other) === fileAt(path);
  return [mine, isSame ? mine : await session.engine.open(other, { access: 'read' })];
}

function fileAt(path: string): string | null {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined || stats.ino === 0n ? null : `${stats.dev}:${stats.ino}`;
}

/** What can be read only once, such as standard input, is copied to a temporary file. */
async function pathFor(session: CommandSession, name: string): Promise<string> {
  return unpackedPath(session, await plainPath(session, name));
}

async function plainPath({ files, engine, pathOf, signal, cwd }: CommandSession, name: string): Promise<string> {
  const path = pathOf(name);
  const stats = name === '-' ? null : statSync(path, { throwIfNoEntry: false });
  const isMissing = stats === undefined && !isRevision(name);
  if (isMissing || stats?.isFile() === true || stats?.isDirectory() === true) return path;
  if (engine.isEncrypted)
    throw AppError.unavailable(
      'Standard input, pipes, and revisions are copied to a temporary file, but encrypted databases are not. Save it as a file first. Nothing was compared.',
    );
  if (stats !== undefined) return files.readOnce(path);
  // Named after the file, for messages.
  const target = files.temporaryFile(basename(name.slice(name.indexOf(':') + 1)));
  await readRevision(name, target, { cwd, signal });
  return target;
}
