// Starts Git: without a shell, and without the programs that a repository names.
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable } from 'node:stream';
import { AppError } from '#shared/protocol/errors.ts';
import { findProgram } from '../find-program.ts';

const MAX_SAID = 4000;
/** Characters of the longest output that is kept: a repository may hold anything. */
const MAX_TEXT = 1_000_000;

export interface GitCall {
  /** The user's working directory: `./PATH` is relative to it, and `PATH` to the repository, as in Git. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Ahead of the command. */
  readonly options?: readonly string[];
  /** Those of this process if it is not given. */
  readonly environment?: NodeJS.ProcessEnv;
}

export interface GitEnded {
  readonly code: number | null;
  /** To standard error, in English: Git has no codes for its reasons. */
  readonly said: string;
}

export interface RunningGit {
  readonly output: Readable;
  /** @throws AppError `unavailable`, `stopped` */
  readonly ended: Promise<GitEnded>;
}

/** @throws AppError `unavailable` without Git */
export function startGit(words: readonly string[], call: GitCall): RunningGit {
  const { cwd, signal, options = [], environment = process.env } = call;
  const program = findProgram('git', process.env['PATH'] ?? '');
  if (program === null)
    throw AppError.unavailable('Git was not found. Install Git and try again. Nothing was changed.');
  // In English, because what Git says is read. What a partial clone lacks is not fetched: its configuration names the program that does it.
  const env = {
    ...environment,
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
  // Git starts this program of a repository when it reads what is staged.
  const noWatcher = ['-c', 'core.fsmonitor=false'];
  const git: ChildProcessByStdio<null, Readable, Readable> = spawn(program, [...noWatcher, ...options, ...words], {
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
  output.setEncoding('utf8');
  let text = '';
  const read = (async () => {
    for await (const chunk of output) if (text.length < MAX_TEXT) text += String(chunk);
  })().catch(() => undefined);
  const end = await ended;
  await read;
  return { ...end, text };
}

/** One line of what Git said to standard error. */
export const reasonOf = (said: string): string =>
  said
    .replaceAll(/^(?:fatal|error): /gm, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ') || 'it gave no reason';

const stopped = (): AppError => AppError.stopped('Stopped. Nothing was changed.');

const notStarted = (thrown: unknown): AppError =>
  AppError.unavailable(`Git could not be started (${String(thrown)}). Nothing was changed.`);
