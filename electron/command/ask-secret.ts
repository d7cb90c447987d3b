// Asks a question in the terminal, whose answer does not appear there.
import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { AppError } from '#shared/protocol/errors.ts';
import { UsageError } from './parse.ts';

/** The terminal itself: standard input may be the file to import. */
const [READ, WRITE] = process.platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty'];
const [INTERRUPT, END, BACKSPACE, LINE_FEED, RETURN, KILL_LINE, DELETE] = [0x03, 0x04, 0x08, 0x0a, 0x0d, 0x15, 0x7f];

/** @throws UsageError without a terminal, AppError `stopped` */
export async function askSecret(question: string, signal: AbortSignal): Promise<Uint8Array> {
  let [input, output]: [number | null, number | null] = [null, null];
  let terminal: ReadStream | null = null;
  try {
    input = openSync(READ!, 'r');
    output = openSync(WRITE!, 'w');
    // Owns its descriptor from here on.
    terminal = new ReadStream(input);
    input = null;
  } catch {
    if (input !== null) closeSync(input);
    if (output !== null) closeSync(output);
    throw new UsageError('There is no terminal to ask for the key in. Specify it with --key-env or --key-file.');
  }
  try {
    terminal.setRawMode(true);
    writeSync(output!, question);
    return await lineFrom(terminal, signal);
  } finally {
    terminal.setRawMode(false);
    writeSync(output!, '\n');
    terminal.destroy();
    closeSync(output!);
  }
}

function lineFrom(terminal: ReadStream, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const stopped = (): void => reject(AppError.stopped('Stopped. Nothing was changed.'));
    const typed: number[] = [];
    signal.addEventListener('abort', stopped, { once: true });
    terminal.once('error', reject);
    terminal.on('data', (bytes: Uint8Array) => {
      for (const byte of bytes) {
        if (byte === INTERRUPT) return stopped();
        if (byte === LINE_FEED || byte === RETURN || byte === END) return resolve(Buffer.from(typed));
        if (byte === KILL_LINE) typed.length = 0;
        else if (byte === BACKSPACE || byte === DELETE) dropCharacter(typed);
        else typed.push(byte);
      }
    });
  });
}

/** The last one of UTF-8. */
function dropCharacter(bytes: number[]): void {
  while (bytes.length > 0 && (bytes.pop()! & 0xc0) === 0x80);
}
