// What the command line asks for. Read from `process.argv`: Electron 36 and later lower-case what `app.commandLine` returns.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface CommandLine {
  readonly userDataDir: string | null;
  /** Open the file, wait for its first rows, say so and quit. */
  readonly smoke: boolean;
  /** What to measure, in a file that `build/bench.ts` has written: measure it and quit. */
  readonly benchFile: string | null;
  /** Show what was open before, write how long that took into this file, and quit. */
  readonly startedFile: string | null;
  readonly files: readonly string[];
}

/** Unpackaged, the first name on the line is the app's own folder, and `-r FILE` is Electron's (test drivers use it). */
export function parseCommandLine(argv: readonly string[], packaged: boolean, cwd: string): CommandLine {
  const args = argv.slice(1);
  const names = args.filter((arg, at) => arg !== '' && !arg.startsWith('-') && args[at - 1] !== '-r');
  const userDataDir = args.find((arg) => arg.startsWith('--user-data-dir='))?.slice('--user-data-dir='.length);
  return {
    userDataDir: userDataDir ? resolve(cwd, userDataDir) : null,
    benchFile: args.find((arg) => arg.startsWith('--bench='))?.slice('--bench='.length) ?? null,
    startedFile: args.find((arg) => arg.startsWith('--started='))?.slice('--started='.length) ?? null,
    smoke: args.includes('--smoke'),
    files: names.slice(packaged ? 0 : 1).map((name) => resolve(cwd, pathOf(name))),
  };
}

/** An address that names no local file is taken for a name: opening it says that it is not there. */
function pathOf(name: string): string {
  try {
    return name.startsWith('file://') ? fileURLToPath(name) : name;
  } catch {
    return name;
  }
}
