// For tests: a command of the command line in a process of its own, and what it says.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { once } from 'node:events';

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand {
  readonly child: ChildProcessWithoutNullStreams;
  /** All of standard error so far. */
  readonly err: () => string;
  /** Resolves the moment standard error matches; the command may run for a little longer. @throws Error when it ends before */
  readonly says: (pattern: RegExp) => Promise<void>;
  readonly ended: Promise<Ended>;
}

export interface Streams {
  readonly input?: string | Uint8Array;
  /** The input stays open behind it. */
  readonly staysOpen?: true;
  /** File for the standard output, of which `out` then has nothing. */
  readonly outFile?: string;
}

/** @param child was just started */
export function followCommand(
  child: ChildProcessWithoutNullStreams,
  { input = '', staysOpen, outFile }: Streams = {},
): RunningCommand {
  let [out, err] = ['', ''];
  if (outFile !== undefined) child.stdout.pipe(createWriteStream(outFile));
  else child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  // One that ends early reads none of it.
  child.stdin.on('error', () => undefined);
  if (staysOpen) child.stdin.write(input);
  else child.stdin.end(input);
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
