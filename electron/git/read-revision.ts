// A database as it is in a commit of a Git repository: `REVISION:PATH`, as `git show` writes it. Git runs without a shell, and only reads.
import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError } from '#shared/protocol/errors.ts';
import { writeError } from '../files/file-errors.ts';
import { reasonOf, startGit } from './run-git.ts';
import type { GitCall } from './run-git.ts';

/** Larger files do not belong in a repository, and Git holds them in memory. */
const MAX_BYTES = 4 * 2 ** 30;
/** A pointer of Git LFS is a text of three lines. */
const LFS_POINTER = 'version https://git-lfs.github.com/spec/';

/** `C:\` is a drive, and a revision does not begin like an option; `:PATH` is what is staged. */
export const isRevision = (name: string): boolean => /^:.|^[^:-][^:]+:.|^[A-Z]:(?![\\/])./i.test(name);

/**
 * Writes the file of a revision to `target`.
 *
 * @param roomBytes how large it may be
 * @throws AppError `not-found`, `invalid`, `unavailable`, `too-big`, `io`, `full`, `stopped`
 */
export async function readRevision(
  revision: string,
  target: string,
  call: GitCall,
  roomBytes = Infinity,
): Promise<void> {
  const type = await textOf(['cat-file', '-t', revision], revision, call);
  if (type !== 'blob') throw AppError.invalid(`“${revision}” is no file of the repository. Nothing was compared.`);
  const size = Number(await textOf(['cat-file', '-s', revision], revision, call));
  if (size > MAX_BYTES)
    throw AppError.tooBig(`“${revision}” is larger than 4 GB. Save it as a file first. Nothing was compared.`);
  if (size > roomBytes)
    throw AppError.full(`There is not enough free space for a copy of “${revision}”. Nothing was compared.`);
  let head = '';
  const look = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (head.length < LFS_POINTER.length) head += chunk.toString('latin1', 0, LFS_POINTER.length);
      done(null, chunk);
    },
  });
  await run(['cat-file', 'blob', revision], revision, call, (output) =>
    pipeline(output, look, createWriteStream(target, { mode: 0o600 })),
  );
  if (head.startsWith(LFS_POINTER))
    throw AppError.unavailable(
      `“${revision}” is only a pointer of Git LFS. Write the database to a file with “git show ${revision} | git lfs smudge”, and compare that. Nothing was compared.`,
    );
}

async function textOf(words: readonly string[], revision: string, call: GitCall): Promise<string> {
  let text = '';
  await run(words, revision, call, async (output) => {
    for await (const chunk of output) text += String(chunk);
  });
  return text.trim();
}

async function run(
  words: readonly string[],
  revision: string,
  call: GitCall,
  take: (output: NodeJS.ReadableStream) => Promise<void>,
): Promise<void> {
  const git = startGit(words, call);
  const taken = take(git.output).then(
    () => null,
    (error: unknown) => ({ error }),
  );
  // What `take` throws when Git does not start is not what went wrong.
  const { code, said } = await git.ended;
  const failure = await taken;
  if (code !== 0) throw refused(revision, said);
  if (failure !== null) throw writeError(revision, failure.error);
}

/** @param said to standard error, in English: Git has no codes for its reasons */
function refused(revision: string, said: string): AppError {
  if (/not a git repository/i.test(said))
    return AppError.notFound(
      `There is no file “${revision}”, and it cannot be a revision, because this folder is in no Git repository. Nothing was compared.`,
    );
  const hint = /exists, but not/.test(said) ? ' In Git, ./PATH is relative to this folder.' : '';
  return AppError.notFound(`Git cannot read “${revision}”: ${reasonOf(said)}.${hint} Nothing was compared.`); // prettier-ignore
}
