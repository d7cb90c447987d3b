// A command of the command line as the user runs it: the program of the app, without a display.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { followCommand } from '../../build/running-command.test-suite.ts';
import type { Ended, RunningCommand, Streams } from '../../build/running-command.test-suite.ts';
import type { SideliteApp } from '../sidelite-app.ts';

/** Executable of the installed app, or of the sources: found the same way as the app itself in the specs. */
const executable = (): string =>
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined
    ? (createRequire(import.meta.url)('electron') as unknown as string)
    : join(process.env['ELECTRON_OVERRIDE_DIST_PATH'], 'electron');

/** Started in the folder of the test, with the profile of its app. */
export function startCommand(app: SideliteApp, words: readonly string[], streams?: Streams): RunningCommand {
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = process.env;
  return followCommand(spawn(executable(), app.commandLine(words), { cwd: app.folder, env }), streams);
}

export const runCommand = (app: SideliteApp, words: readonly string[], streams?: Streams): Promise<Ended> =>
  startCommand(app, words, streams).ended;

/** Writes a file into the folder in which commands are started, and returns its path. */
export function writeInFolder(app: SideliteApp, name: string, text: string | Uint8Array): string {
  const path = join(app.folder, name);
  writeFileSync(path, text);
  return path;
}
