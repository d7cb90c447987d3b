// Starts libSQL servers for tests, on loopback only: a primary, and replicas of it.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';

const STARTS_MS = 20_000;

export interface SqldOptions {
  readonly program: string;
  /** Folder of a server that is started again; otherwise a new, empty one. */
  readonly folder?: string;
  /** Port to listen on; otherwise a free one. */
  readonly port?: number;
  /** Additional options of its own. */
  readonly args?: readonly string[];
}

export interface RunningSqld {
  readonly url: string;
  readonly port: number;
  readonly folder: string;
  readonly processId: number;
  /** Ends it as a power cut would. Its folder stays. */
  kill(): Promise<void>;
  /** Ends the server and removes its folder. */
  remove(): Promise<void>;
}

/** Returns when it answers. */
export async function startSqld({ program, folder = newFolder(), port, args = [] }: SqldOptions): Promise<RunningSqld> {
  const at = port ?? (await freePort());
  mkdirSync(folder, { recursive: true });
  const options = ['-d', folder, '--http-listen-addr', `127.0.0.1:${at}`, '--no-welcome', '--disable-metrics', ...args];
  const server = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (data: Buffer) => (said = (said + data.toString()).slice(-4000)));
  const url = `http://127.0.0.1:${at}`;
  await answers(url, server, () => said);
  const kill = (): Promise<void> => end(server);
  return {
    url,
    port: at,
    folder,
    processId: server.pid!,
    kill,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Uses a memory disk where there is one: each commit waits for the disk. */
function newFolder(): string {
  return mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'sidelite-sqld-'));
}

async function answers(url: string, server: ChildProcess, said: () => string): Promise<void> {
  const endMs = performance.now() + STARTS_MS;
  while (performance.now() < endMs) {
    if (server.exitCode !== null || server.signalCode !== null) throw new Error(`sqld ended: ${said()}`);
    try {
      if ((await fetch(`${url}/health`)).ok) return;
    } catch {
      // The server does not answer yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await end(server);
  throw new Error(`sqld does not answer: ${said()}`);
}

function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((resolve) => void server.once('exit', () => resolve()));
  server.kill('SIGKILL');
  return ended;
}
