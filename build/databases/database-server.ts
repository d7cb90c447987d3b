// Database servers whose dumps tests read: each in a new folder, reached through a socket in it, so that nothing on a network is opened.
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const STARTS_MS = 60_000;
const OUTPUT_BYTES = 1 << 28;

const run = promisify(execFile);

export interface DatabaseServer {
  /** Runs SQL in the program that a person would type it into. Returns what that prints. */
  sql(text: string): Promise<string>;
  /** A dump of the whole database. @param options of the program that writes it */
  dump(options: readonly string[]): Promise<Uint8Array>;
  /** Ends the server and removes its folder. */
  remove(): Promise<void>;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Returns what the program writes. @throws what it says */
export async function output({ file, args, env }: Program, input = ''): Promise<Buffer> {
  const running = run(file, args, { env, encoding: 'buffer', maxBuffer: OUTPUT_BYTES });
  // A program that ends before it has read its input, as a client does whose server is not there yet, says so by its status.
  running.child.stdin!.on('error', () => undefined);
  running.child.stdin!.end(input);
  return (await running).stdout;
}

/** A short path, as those of sockets are limited. */
export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'db-'));

/** Returns when it answers. */
export async function startServer(server: Program, answers: () => Promise<unknown>): Promise<() => Promise<void>> {
  const child = spawn(server.file, server.args, { env: server.env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4000)));
  const endMs = performance.now() + STARTS_MS;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The server ended: ${said}`);
    try {
      await answers();
      return () => end(child);
    } catch (error) {
      if (performance.now() < endMs) await new Promise((resolve) => setTimeout(resolve, 50));
      else return end(child).then(() => Promise.reject(error as Error));
    }
  }
}

function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  // Both take it as “now”: PostgreSQL ends its own processes first.
  server.kill('SIGQUIT');
  return ended;
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
