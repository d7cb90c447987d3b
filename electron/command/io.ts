// Standard output and standard error of a command, by file descriptor: the same in its own process and in a thread of the app.
import { write, writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { AppError } from '#shared/protocol/errors.ts';
import type { Progress } from '#shared/protocol/library.ts';
import { visibleLine } from '#shared/visible-text.ts';

const [OUT, ERR] = [1, 2];
const AGAIN_MS = 5;
/** Interval between progress updates: in a terminal they share one line; elsewhere each is a line of its own. */
const EVERY_MS = { terminal: 100, elsewhere: 1000 };

/** The reader of standard output has closed it. */
export class BrokenPipe extends Error {}

export const outIsTerminal = (): boolean => isatty(OUT!);

/** Resolves when the reader has taken the bytes. @throws BrokenPipe, or AppError `io`, `full` */
export async function print(bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await writeSome(bytes.subarray(done));
}

export const printText = (text: string): Promise<void> => print(new TextEncoder().encode(text));

/** JSON.stringify leaves DEL, the control characters U+0080 to U+009F, and those that reverse the order of others as they are. */
const COMMANDS = /[\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** A line of JSON in which a terminal finds no command to itself, whatever the names in it are. */
export const jsonLine = (value: unknown): string =>
  `${JSON.stringify(value).replace(COMMANDS, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;

function writeSome(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(OUT!, bytes, (error, written) => {
      if (!error) return resolve(written);
      // The pipe was set to non-blocking by another process.
      if (error.code === 'EAGAIN') return void setTimeout(() => resolve(0), AGAIN_MS);
      if (error.code === 'EPIPE') return reject(new BrokenPipe());
      const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
      const message = isFull
        ? 'The disk that standard output is written to is full.'
        : `Standard output could not be written to (${error.code ?? error.message}).`;
      reject(new AppError({ code: isFull ? 'full' : 'io', message }));
    });
  });
}

/** Errors writing to standard error are ignored: no reader is no reason to fail. */
function tell(text: string): void {
  try {
    writeSync(ERR!, text);
  } catch {
    // The reader has closed it and does not want the message.
  }
}

/**
 * Prints messages and progress to standard error, each on one line. Names of files and tables are displayed as everywhere in the app: a
 * line ending in one begins no message of its own.
 */
export class Teller {
  readonly #isTerminal = isatty(ERR!);
  readonly #wanted: boolean;
  #toldMs = -Infinity;
  #lineLength = 0;

  constructor(wanted: boolean) {
    this.#wanted = wanted || this.#isTerminal;
  }

  say(sentence: string): void {
    this.#clearLine();
    tell(`${visibleLine(sentence)}\n`);
  }

  readonly progress = (progress: Progress): void => {
    const now = performance.now();
    if (!this.#wanted || now - this.#toldMs < (this.#isTerminal ? EVERY_MS.terminal : EVERY_MS.elsewhere)) return;
    this.#toldMs = now;
    const line = asText(progress);
    if (!this.#isTerminal) return tell(`${line}\n`);
    this.#clearLine();
    this.#lineLength = line.length;
    tell(line);
  };

  #clearLine(): void {
    if (this.#lineLength > 0) tell(`\r${' '.repeat(this.#lineLength)}\r`);
    this.#lineLength = 0;
  }
}

function asText({ phase, done, total, unit }: Progress): string {
  const amount = (value: number): string =>
    unit === 'bytes' ? `${(value / 1e6).toFixed(1)} MB` : `${value.toLocaleString('en-US')} ${unit}`;
  const share = total === null || total === 0 ? '' : ` (${Math.floor((100 * Math.min(done, total)) / total)}%)`;
  return `${phase}: ${amount(done)}${total === null ? '' : ` of ${amount(total)}`}${share}`;
}
