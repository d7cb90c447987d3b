// The commits of one file of a Git repository, and the file as it is in one of them. The repository may be anyone's: no program that its
// configuration names is run, and nothing of it is taken for an option.
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import type { GitCommit } from '#shared/git.ts';
import { readRevision } from './read-revision.ts';
import { gitText, reasonOf } from './run-git.ts';
import type { GitCall } from './run-git.ts';

const MAX_COMMITS = 200;
const MAX_REVISION = 1000;
/** The longest are cut by Git. `%<` is about the placeholder after it. */
const FORMAT = '--format=%h%x00%at%x00%<(80,trunc)%an%x00%<(200,trunc)%s';

/** What would name another repository than that of the file (`git rev-parse --local-env-vars`), with the configuration it is to have. */
const OF_A_REPOSITORY =
  /^GIT_(?:ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|CONFIG|CONFIG_COUNT|CONFIG_PARAMETERS|DIR|GRAFT_FILE|IMPLICIT_WORK_TREE|INDEX_FILE|INTERNAL_SUPER_PREFIX|NAMESPACE|NO_REPLACE_OBJECTS|OBJECT_DIRECTORY|PREFIX|REPLACE_REF_BASE|SHALLOW_FILE|WORK_TREE)$/i;

/** Whether any folder above the file has a `.git`: a folder, or the file of a worktree or submodule. Runs no program. */
export async function isInRepository(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = await lstat(join(folder, '.git')).catch(() => null);
    if (found) return true;
    if (dirname(folder) === folder) return false;
  }
}

/** Newest first; empty if no commit has the file. @throws AppError `unavailable`, `stopped` */
export async function commitsOf(path: string, signal: AbortSignal): Promise<readonly GitCommit[]> {
  // `log` would do what the repository configures for it: `log.showSignature` runs a program.
  const words = ['rev-list', `--max-count=${MAX_COMMITS}`, FORMAT, '--encoding=UTF-8', 'HEAD', '--', ownName(path)];
  const { code, said, text } = await gitText(words, callFor(path, signal));
  if (code === 0) return text.split('\n').flatMap(commitOf);
  if (/bad revision 'HEAD'/.test(said)) return [];
  throw AppError.unavailable(whyUnread(said));
}

/**
 * Writes the file as it is in `revision` to `target`. Returns the short hash of the commit.
 *
 * @throws AppError `invalid` for what is no name of a commit, `not-found`, and as `readRevision`
 */
export async function readFileAt(
  path: string,
  revision: string,
  target: string,
  { signal, roomBytes }: { readonly signal: AbortSignal; readonly roomBytes: number },
): Promise<string> {
  if (/^[-:]|\p{Cc}/u.test(revision) || revision.length > MAX_REVISION)
    throw AppError.invalid('Enter a commit, branch, or tag, such as HEAD~3. It cannot begin with “-” or “:”.');
  const call = callFor(path, signal);
  const commit = await gitText(['rev-parse', '--short', '--verify', `${revision}^{commit}`], call);
  const hash = commit.text.trim();
  if (commit.code !== 0 && /dubious ownership|not a git repository/i.test(commit.said))
    throw AppError.unavailable(whyUnread(commit.said));
  if (commit.code !== 0 || !/^[0-9a-f]+$/.test(hash))
    throw AppError.notFound(`“${revision}” is no commit, branch, or tag of this repository.`);
  const inCommit = `${hash}:${ownName(path)}`;
  const found = await gitText(['rev-parse', '--verify', '--quiet', inCommit], call);
  if (found.code !== 0)
    throw AppError.notFound(
      `Commit ${hash} has no file “${basename(path)}” in this folder. It may have been added later, moved, or removed.`,
    );
  await readRevision(inCommit, target, call, roomBytes);
  return hash;
}

/** Relative to its folder, so that it begins like no option and no pattern. */
const ownName = (path: string): string => `./${basename(path)}`;

function callFor(path: string, signal: AbortSignal): GitCall {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_A_REPOSITORY.test(name)));
  return { cwd: dirname(path), signal, environment, options: ['--no-pager', '--literal-pathspecs'] };
}

/** `rev-list` writes a line with the whole hash before each. */
function commitOf(line: string): readonly GitCommit[] {
  const [hash = '', seconds, author, subject] = line.split('\0');
  if (seconds === undefined || author === undefined || subject === undefined) return [];
  return [{ hash, atMs: Number(seconds) * 1000, author: author.trim(), subject: subject.trim() }];
}

const whyUnread = (said: string): string =>
  /dubious ownership/i.test(said)
    ? 'Git does not read this repository, because it belongs to another user. If you trust it, add its folder to safe.directory in your Git configuration.'
    : `Git cannot read this repository: ${reasonOf(said)}`;
