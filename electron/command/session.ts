// What each command works with, and what it ends with.
import type { CommandEngine } from './engine.ts';
import type { CommandFiles } from './files.ts';
import type { Teller } from './io.ts';
import type { Options } from './parse.ts';
import type { CommandName } from '#shared/command-names.ts';
import type { ErrorCode, ErrorData } from '#shared/protocol/errors.ts';

export interface CommandSession {
  readonly operands: readonly string[];
  readonly options: Options;
  readonly engine: CommandEngine;
  readonly files: CommandFiles;
  readonly tell: Teller;
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal;
  /** The user's working directory. */
  readonly cwd: string;
  /** The words with which other programs start Sidelite. */
  readonly program: readonly string[] | undefined;
  /** Path of a name on the command line, from the user's working directory; `-` stays. */
  pathOf(name: string): string;
}

export interface Outcome {
  readonly exitCode: number;
  /** Summary for `--json`; null: there is nothing to sum up. */
  readonly summary: Readonly<Record<string, unknown>> | null;
}

// The exit codes of commands. Scripts rely on these numbers: README.md lists them, and their meaning never changes.

export const EXIT = {
  done: 0,
  failed: 1,
  /** What `diff` says of two databases, as the program of that name does, and `merge` of conflicts. There, what failed is `partly`. */
  different: 1,
  usage: 2,
  /** Imported, exported, or compared, except for some records, objects, or tables. */
  partly: 3,
  notFound: 4,
  locked: 5,
  damaged: 6,
  full: 7,
  /** 128 plus the number of the signal, as in shells. */
  stopped: 130,
  brokenPipe: 141,
} as const;

const CODES: Partial<Record<ErrorCode, number>> = {
  'not-found': EXIT.notFound,
  locked: EXIT.locked,
  'not-a-database': EXIT.damaged,
  corrupt: EXIT.damaged,
  'too-new': EXIT.damaged,
  full: EXIT.full,
  stopped: EXIT.stopped,
};

export function exitCodeOf({ code }: Pick<ErrorData, 'code'>, command: CommandName | null): number {
  if (command === 'merge' && code === 'conflict') return EXIT.different;
  return CODES[code] ?? (command === 'diff' || command === 'merge' ? EXIT.partly : EXIT.failed);
}
