// A command of the command line as the user runs it: the program of the app, without a display.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { SideliteApp } from '../sidelite-app.ts';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  readonly child: ChildProcess;
  /** All of standard error so far. */
  readonly err: () => string;
  /** Resolves the moment standard error matches; the command may run for a little longer. @throws Error when it ends before */
  readonly says: (pattern: RegExp) => Promise<void>;
  readonly ended: Promise<Ended>;
}

/** Executable of the installed app, or of the sources: found the same way as the app itself in the specs. */
const executable = (): string =>
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined
    ? (createRequire(import.meta.url)('electron') as unknown as string)
    : join(process.env['ELECTRON_OVERRIDE_DIST_PATH'], 'electron');

interface How {
  readonly input?: string | Uint8Array;
  /** File for the standard output. */
  readonly outFile?: string;
}

/** Started in the folder of the test, with the profile of its app. */
export function startCommand(app: SideliteApp, words: readonly string[], { input, outFile }: How = {}): RunningCommand {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
  const child = spawn(executable(), app.commandLine(words), { cwd: app.folder, env });
  let [out, err] = ['', ''];
  if (outFile !== undefined) child.stdout.pipe(createWriteStream(outFile));
  else child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input ?? '');
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    out,
    err,
  }));
  const says = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => void (pattern.test(err) && resolve());
      child.stderr.on('data', look);
      child.once('close', () => reject(new Error(`The command ended without ${pattern}: ${err}`)));
      look();
    });
  return { child, err: () => err, says, ended };
}

export const runCommand = (app: SideliteApp, words: readonly string[], how?: How): Promise<Ended> =>
  startCommand(app, words, how).ended;

/** Writes a file into the folder in which commands are started, and returns its path. */
export function writeInFolder(app: SideliteApp, name: string, text: string | Uint8Array): string {
  const path = join(app.folder, name);
  writeFileSync(path, text);
  return path;
}
