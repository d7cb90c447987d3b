// What each command works with.
import type { CommandEngine } from './engine.ts';
import type { CommandFiles } from './files.ts';
import type { Teller } from './io.ts';
import type { Options } from './parse.ts';

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
