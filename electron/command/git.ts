// Starts Git: without a shell, and without the programs that a repository names.
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { AppError } from '#shared/protocol/errors.ts';

const MAX_SAID = 4000;

export interface GitCall {
  /** The user's working directory: `./PATH` is relative to it, and `PATH` to the repository, as in Git. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

export interface GitEnded {
  readonly code: number | null;
  /** To standard error, in English: Git has no codes for its reasons. */
  readonly said: string;
}

export interface RunningGit {
  readonly output: Readable;
  /** @throws AppError `unavailable` without Git, `stopped` */
  readonly ended: Promise<GitEnded>;
}

export function startGit(words: readonly string[], { cwd, signal }: GitCall): RunningGit {
  // In English, because what Git says is read. What a partial clone lacks is not fetched: its configuration names the program that does it.
  const env = {
    ...process.env,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
  // Git starts this program of a repository when it reads what is staged.
  const noWatcher = ['-c', 'core.fsmonitor=false'];
  const git: ChildProcessByStdio<null, Readable, Readable> = spawn('git', [...noWatcher, ...words], {
    cwd,
    env,
    signal,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let said = '';
  git.stderr.on('data', (chunk) => (said = (said + String(chunk)).slice(0, MAX_SAID)));
  const ended = new Promise<GitEnded>((resolve, reject) => {
    git.on('error', (error) => reject(signal.aborted ? stopped() : notStarted(error)));
    git.on('close', (code) => (signal.aborted ? reject(stopped()) : resolve({ code, said })));
  });
  // Whoever reads the output first learns of it there.
  ended.catch(() => undefined);
  return { output: git.stdout, ended };
}

export async function gitText(words: readonly string[], call: GitCall): Promise<GitEnded & { readonly text: string }> {
  const { output, ended } = startGit(words, call);
  let text = '';
  const read = (async () => {
    for await (const chunk of output) text += String(chunk);
  })().catch(() => undefined);
  const end = await ended;
  await read;
  return { ...end, text };
}

const stopped = (): AppError => AppError.stopped('Stopped. Nothing was changed.');

function notStarted(thrown: unknown): AppError {
  return AppError.unavailable(
    (thrown as NodeJS.ErrnoException).code === 'ENOENT'
      ? 'Git was not found. Install Git, or name files instead of revisions. Nothing was changed.'
      : `Git could not be started (${String(thrown)}). Nothing was changed.`,
  );
}
