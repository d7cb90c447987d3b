// The key of an encrypted database, as the options say where it is. It is never printed, and what is said of it never contains it.
import { createReadStream } from 'node:fs';
import { addAbortSignal } from 'node:stream';
import { CIPHERS } from '#shared/cipher-key.ts';
import type { CipherKey } from '#shared/cipher-key.ts';
import { AppError } from '#shared/protocol/errors.ts';
import { readError } from '../files/file-errors.ts';
import { askSecret } from './ask-secret.ts';
import { didYouMean, UsageError } from './parse.ts';
import type { Options } from './parse.ts';

const SOURCES = ['key-env', 'key-file', 'ask-key'] as const;
const SETTINGS = ['cipher', 'cipher-page-size', 'kdf-iterations', 'plain-header'] as const;
const RAW_KEY_WITH_SALT = /^x'[\da-f]{96}'$/i;
/** Looks like a raw key, and would be taken for a password. */
const NO_RAW_KEY = /^x'[^]*'$/i;
const RAW_KEY = /^x'(?:[\da-f]{64}|[\da-f]{96})'$/i;
const MOST_ITERATIONS = 2 ** 31 - 1;
const MOST_KEY_BYTES = 1 << 16;
const [LINE_FEED, RETURN] = [0x0a, 0x0d];

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
  const text = Buffer.from(secret).toString('latin1');
  if (NO_RAW_KEY.test(text) && !RAW_KEY.test(text))
    throw new UsageError("A raw key is x'…' with 64 hexadecimal digits, or with 96 if the salt is at its end.");
  if (settings.plainHeaderBytes !== null && !RAW_KEY_WITH_SALT.test(text))
    throw new UsageError(
      "With --plain-header the file does not contain its salt: specify a raw key x'…' with 96 hexadecimal digits, of which the last 32 are the salt.",
    );
  return { secret, ...settings };
}

const dashed = (name: string): string => `--${name}`;

function settingsOf(options: Options): Omit<CipherKey, 'secret'> {
  const name = options.text('cipher')?.toLowerCase();
  const cipher = CIPHERS.find((known) => known === name) ?? null;
  if (name !== undefined && cipher === null)
    throw new UsageError(
      `There is no cipher “${name}”.${didYouMean(name, CIPHERS)} The ciphers are ${CIPHERS.join(', ')}.`,
    );
  const whole = (option: string, isIt: (value: number) => boolean, what: string): number | null => {
    if (!options.has(option)) return null;
    const value = options.count(option, 0);
    if (Number.isInteger(value) && isIt(value)) return value;
    throw new UsageError(`--${option} takes ${what}.`);
  };
  const isPage = (value: number): boolean => value >= 512 && value <= 65_536 && Number.isInteger(Math.log2(value));
  return {
    cipher,
    pageBytes: whole('cipher-page-size', isPage, 'a power of two from 512 to 65536'),
    kdfIterations: whole('kdf-iterations', (value) => value >= 1 && value <= MOST_ITERATIONS, 'a whole number from 1'),
    plainHeaderBytes: whole(
      'plain-header',
      (value) => value >= 16 && value <= 96 && value % 16 === 0,
      'a multiple of 16 from 16 to 96',
    ),
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

/** Reads no more than it needs: what a pipe or a device has after the line may have no end. */
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
  return line.at(-1) === RETURN ? line.subarray(0, -1) : line;
}

function notEmpty(secret: Uint8Array, what: string): Uint8Array {
  if (secret.length > 0) return secret;
  throw new UsageError(`${what} is empty, and no key is.`);
}
