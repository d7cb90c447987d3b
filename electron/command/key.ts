// The key of an encrypted database, as the options say where it is. It is never printed, and what is said of it never contains it.
import { createReadStream, closeSync, openSync, writeSync } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { CIPHER_SETTINGS, CIPHERS, problemOfSecret, type CipherKey, type CipherSettings } from '#shared/cipher-key.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { readError } from '../files/file-errors.ts';
import { didYouMean, UsageError, type Options } from './parse.ts';
import { ReadStream } from 'node:tty';

const SOURCES = ['key-env', 'key-file', 'ask-key'] as const;
const SETTINGS = ['cipher', 'cipher-page-size', 'kdf-iterations', 'plain-header'] as const;
const MOST_KEY_BYTES = 1 << 16;
const [LINE_FEED, RETURN] = [0x0a, 0x0d];
/** Byte order marks: editors of Windows write one before the text. */
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])] as const;

interface Asking {
  readonly pathOf: (name: string) => string;
  readonly signal: AbortSignal;
}

/** Null if none was named. @throws UsageError, and AppError if the file cannot be read or the question is not answered */
export async function keyOf(options: Options, { pathOf, signal }: Asking): Promise<CipherKey | null> {
  const given = SOURCES.filter((name) => options.has(name));
  if (given.length > 1) throw new UsageError(`Specify the key with only one of ${SOURCES.map(dashed).join(', ')}.`);
  const [source] = given;
  if (source === undefined) {
    const setting = SETTINGS.find((name) => options.has(name));
    if (setting === undefined) return null;
    throw new UsageError(`--${setting} is about a key. Specify the key with one of ${SOURCES.map(dashed).join(', ')}.`);
  }
  const settings = settingsOf(options);
  const secret = await secretOf(options, source, { pathOf, signal });
  const problem = problemOfSecret(Buffer.from(secret).toString('latin1'), settings);
  if (problem === 'raw')
    throw new UsageError("A raw key is x'…' with 64 hexadecimal digits, or with 96 if the salt is at its end.");
  if (problem === 'salt')
    throw new UsageError(
      "With --plain-header the file does not contain its salt: specify a raw key x'…' with 96 hexadecimal digits, of which the last 32 are the salt.",
    );
  return { secret, ...settings };
}

const dashed = (name: string): string => `--${name}`;

function settingsOf(options: Options): CipherSettings {
  const name = options.text('cipher')?.toLowerCase();
  const cipher = CIPHERS.find((known) => known === name) ?? null;
  if (name !== undefined && cipher === null)
    throw new UsageError(
      `There is no cipher “${name}”.${didYouMean(name, CIPHERS)} The ciphers are ${CIPHERS.join(', ')}.`,
    );
  const number = (option: string, { isOne, takes }: (typeof CIPHER_SETTINGS)[keyof typeof CIPHER_SETTINGS]) => {
    if (!options.has(option)) return null;
    const value = options.count(option, 0);
    if (isOne(value)) return value;
    throw new UsageError(`--${option} takes ${takes}.`);
  };
  return {
    cipher,
    pageBytes: number('cipher-page-size', CIPHER_SETTINGS.pageBytes),
    kdfIterations: number('kdf-iterations', CIPHER_SETTINGS.kdfIterations),
    plainHeaderBytes: number('plain-header', CIPHER_SETTINGS.plainHeaderBytes),
  };
}

async function secretOf(
  options: Options,
  source: (typeof SOURCES)[number],
  { pathOf, signal }: Asking,
): Promise<Uint8Array> {
  const name = options.text(source) ?? '';
  if (source === 'ask-key') return notEmpty(await askSecret('Password or raw key: ', signal), 'What was typed');
  if (source === 'key-file')
    return notEmpty(await firstLineOf(pathOf(name), name, signal), `The first line of “${name}”`);
  const value = process.env[name];
  if (value === undefined) throw new UsageError(`There is no environment variable “${name}”.`);
  // The engine's thread gets a copy of what is left.
  delete process.env[name];
  return notEmpty(Buffer.from(value), `The environment variable “${name}”`);
}

/** The line without its end and without a byte order mark. Reads no more than it needs: what a pipe or a device has after the line may have no end. */
async function firstLineOf(path: string, name: string, signal: AbortSignal): Promise<Uint8Array> {
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of addAbortSignal(signal, createReadStream(path, { highWaterMark: MOST_KEY_BYTES }))) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      if (bytes.includes(LINE_FEED) || bytes.length > MOST_KEY_BYTES) break;
    }
  } catch (thrown) {
    throw signal.aborted ? AppError.stopped('Stopped. Nothing was changed.') : readError(name, thrown);
  }
  const end = bytes.indexOf(LINE_FEED);
  const line = end < 0 ? bytes : bytes.subarray(0, end);
  if (line.length > MOST_KEY_BYTES)
    throw new UsageError(`The first line of “${name}” is longer than 64 KB, and no key is.`);
  const beginsWith = (mark: Buffer): boolean => line.subarray(0, mark.length).equals(mark);
  if (UTF16_MARKS.some(beginsWith))
    throw new UsageError(`“${name}” is UTF-16, and a key is read as UTF-8. Save the file as UTF-8.`);
  return line.subarray(beginsWith(UTF8_MARK) ? UTF8_MARK.length : 0, line.at(-1) === RETURN ? -1 : undefined);
}

function notEmpty(secret: Uint8Array, what: string): Uint8Array {
  if (secret.length > 0) return secret;
  throw new UsageError(`${what} is empty, and no key is.`);
}

/** The terminal itself: standard input may be the file to import. */
const [READ, WRITE] = process.platform === 'win32' ? ['\\\\.\\CONIN$', '\\\\.\\CONOUT$'] : ['/dev/tty', '/dev/tty'];
const [INTERRUPT, END, BACKSPACE, KILL_LINE, DELETE] = [0x03, 0x04, 0x08, 0x15, 0x7f];

/** @throws UsageError without a terminal, AppError `stopped` */
async function askSecret(question: string, signal: AbortSignal): Promise<Uint8Array> {
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
