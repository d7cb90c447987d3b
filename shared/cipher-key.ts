// What opens an encrypted SQLite file: a password or raw key, and how its bytes are encrypted. It travels only between processes and threads,
// and is never written, printed, or logged.

/** SQLCipher by the version of its format, and the ciphers of SQLite3 Multiple Ciphers; in the order in which they are tried. */
export const CIPHERS = [
  'sqlcipher4', 'sqlcipher3', 'sqlcipher2', 'sqlcipher1', 'chacha20', 'aes256', 'aes128', 'rc4', 'ascon',
] as const; // prettier-ignore

export type Cipher = (typeof CIPHERS)[number];

/** How a file is encrypted, apart from the key. */
export interface CipherSettings {
  /** Null: they are tried one after another; a new file gets the first. */
  readonly cipher: Cipher | null;
  /** Null: what the cipher prescribes. */
  readonly pageBytes: number | null;
  readonly kdfIterations: number | null;
  /** Bytes at the beginning of the file that are not encrypted. Null: none. */
  readonly plainHeaderBytes: number | null;
}

export interface CipherKey extends CipherSettings {
  /** The password, or a raw key in hexadecimal as SQLCipher writes it: `x'…'`. */
  readonly secret: Uint8Array;
}

/** A key as a window sends it to main: once, when it is typed. */
export interface TypedKey extends CipherSettings {
  /** The same in a string. */
  readonly secret: string;
  /** Main keeps it sealed, for the next time the file is opened. */
  readonly remember: boolean;
}

const RAW_KEY = /^x'(?:[\da-f]{64}|[\da-f]{96})'$/i;
const RAW_KEY_WITH_SALT = /^x'[\da-f]{96}'$/i;
/** Looks like a raw key, and would be taken for a password. */
const NO_RAW_KEY = /^x'[^]*'$/i;
/** Deriving a key cannot be stopped: so many take some 15 s where all ciphers are tried. */
const MOST_ITERATIONS = 10_000_000;
/** Longest password in characters. */
export const MOST_SECRET = 10_000;
const [LEAST_PAGE, MOST_PAGE] = [512, 65_536];

/** What each setting takes, in words, and whether it is that. */
export const CIPHER_SETTINGS = {
  pageBytes: {
    takes: 'a power of two from 512 to 65536',
    isOne: (value: number) => value >= LEAST_PAGE && value <= MOST_PAGE && Number.isInteger(Math.log2(value)),
  },
  kdfIterations: {
    takes: 'a whole number from 1 to 10000000',
    isOne: (value: number) => Number.isInteger(value) && value >= 1 && value <= MOST_ITERATIONS,
  },
  plainHeaderBytes: {
    takes: 'a multiple of 16 from 16 to 96',
    isOne: (value: number) => value >= 16 && value <= 96 && value % 16 === 0,
  },
} as const;

/** `raw`: it looks like a raw key and is none. `salt`: the file would not contain the salt, so the key has to. */
export function problemOfSecret(
  secret: string,
  { plainHeaderBytes }: Pick<CipherSettings, 'plainHeaderBytes'>,
): 'empty' | 'raw' | 'salt' | null {
  if (secret === '') return 'empty';
  if (NO_RAW_KEY.test(secret) && !RAW_KEY.test(secret)) return 'raw';
  return plainHeaderBytes !== null && !RAW_KEY_WITH_SALT.test(secret) ? 'salt' : null;
}
