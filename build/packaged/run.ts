// Starts the packaged program and waits for its end, as the user who runs the tests or as one without any rights.
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import type { ParentOrder, ReplyToParent } from '#shared/bench/shell.ts';
import { endTogether } from '../tool.ts';

const LIMIT_MS = 90_000;

export interface Run {
  readonly env?: NodeJS.ProcessEnv;
  /** Numeric ID of the user; defaults to the user who runs the tests. */
  readonly user?: number;
}

/** Returns its output. @throws when it did not end well */
export async function runProgram(program: string, args: readonly string[], run: Run = {}): Promise<string> {
  return outputOf(start(program, args, run, ['ignore', 'pipe', 'pipe']));
}

/** Gives it an order, and returns its reply. @throws when it did not end well, or replies that it failed */
export async function orderProgram<K extends ReplyToParent['reply']>(
  program: string,
  { args, order, reply: wanted }: { readonly args: readonly string[]; readonly order: ParentOrder; readonly reply: K },
  run: Run = {},
): Promise<Extract<ReplyToParent, { readonly reply: K }>> {
  const app = start(program, args, run, ['ignore', 'pipe', 'pipe', 'ipc']);
  let reply: ReplyToParent | null = null;
  app.on('message', (message) => (reply = message as ReplyToParent));
  app.send(order);
  const output = await outputOf(app);
  const said = reply as ReplyToParent | null;
  if (said?.reply !== wanted) throw new Error(said?.reply === 'failed' ? said.why : `It did not reply:\n${output}`);
  return said as Extract<ReplyToParent, { readonly reply: K }>;
}

function start(program: string, args: readonly string[], { env, user }: Run, stdio: StdioOptions): ChildProcess {
  const app = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio,
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
    ...(user !== undefined && { uid: user, gid: user }),
  });
  endTogether(app);
  return app;
}

async function outputOf(app: ChildProcess): Promise<string> {
  let output = '';
  for (const stream of [app.stdout, app.stderr]) stream?.on('data', (bytes: Buffer) => (output += bytes.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    app.once('error', reject);
    app.once('close', resolve);
  });
  if (code !== 0) throw new Error(`It failed (${code === null ? 'killed' : `exit code ${code}`}):\n${output}`);
  return output;
}

/** Chromium refuses root its sandbox, and root alone. */
export const isRoot = process.getuid?.() === 0;
export const AS_ROOT: readonly string[] = isRoot ? ['--no-sandbox'] : [];

const NOBODY = 65_534;

/** A user whose start has a sandbox: the one who runs the tests or, when that is root, `nobody`. Null where `nobody` cannot have one. */
export function ordinaryUser(program: string): Pick<Run, 'user'> | null {
  if (!isRoot) return {};
  const as = { uid: NOBODY, gid: NOBODY };
  const may = [
    ['unshare', '--user', 'true'],
    ['test', '-x', program],
  ].every(([command, ...args]) => spawnSync(command!, args, as).status === 0);
  return may ? { user: NOBODY } : null;
}
