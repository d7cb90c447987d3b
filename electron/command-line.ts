// What the command line requests. Read from `process.argv`, because Electron 36 and later lower-case what `app.commandLine` returns.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { profileIn } from '#shared/command-names.ts';
import type { OpenView } from '#shared/shell-api.ts';

export interface CommandLine {
  readonly userDataDir: string | null;
  /** A file written by `build/bench.ts` that says what to measure; the app measures it and quits. Null in the packaged app. */
  readonly benchFile: string | null;
  readonly files: readonly string[];
  /** How to open the files; null: as the user has chosen in the settings. */
  readonly view: OpenView | null;
}

/** `-r FILE` belongs to Electron. */
const TAKES_NEXT: readonly string[] = ['-r', '--table', '--where'];

function viewIn(args: readonly string[]): OpenView | null {
  const valueOf = (name: string): string | null => {
    const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
    return at < 0 ? null : args[at] === name ? (args[at + 1] ?? null) : args[at]!.slice(name.length + 1);
  };
  const [table, where] = [valueOf('--table'), valueOf('--where') ?? ''];
  const readOnly = args.includes('--read-only');
  return table === null && !readOnly ? null : { table, where, readOnly };
}

/** The words after the program name; unpackaged, that name is the app's folder, and `-r FILE` may come before it. */
export function wordsOf(argv: readonly string[], packaged: boolean): readonly string[] {
  if (packaged) return argv.slice(1);
  const folder = argv.findIndex((arg, at) => at > 0 && arg !== '' && !arg.startsWith('-') && argv[at - 1] !== '-r');
  return folder < 0 ? [] : argv.slice(folder + 1);
}

/** Unpackaged, the first name on the line is the app's own folder, and `-r FILE` belongs to Electron (test drivers use it). */
export function parseCommandLine(argv: readonly string[], packaged: boolean, cwd: string): CommandLine {
  const args = argv.slice(1);
  const names = args.filter(
    (arg, at) => arg !== '' && !arg.startsWith('-') && !TAKES_NEXT.includes(args[at - 1] ?? ''),
  );
  const userDataDir = profileIn(args);
  return {
    userDataDir: userDataDir ? resolve(cwd, userDataDir) : null,
    benchFile: packaged ? null : (args.find((arg) => arg.startsWith('--bench='))?.slice('--bench='.length) ?? null),
    view: viewIn(args),
    files: names.slice(packaged ? 0 : 1).map((name) => resolve(cwd, pathOf(name))),
  };
}

/** A URL that is not a local file is treated as a file name: opening it reports that it does not exist. */
function pathOf(name: string): string {
  try {
    return name.startsWith('file://') ? fileURLToPath(name) : name;
  } catch {
    return name;
  }
}
