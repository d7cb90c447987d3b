// What opens an encrypted SQLite file: a password or raw key, and how its bytes are encrypted. It travels only between threads, and is never
// written, printed, or logged.

/** SQLCipher by the version of its format, and the ciphers of SQLite3 Multiple Ciphers; in the order in which they are tried. */
export const CIPHERS = [
  'sqlcipher4', 'sqlcipher3', 'sqlcipher2', 'sqlcipher1', 'chacha20', 'aes256', 'aes128', 'rc4', 'ascon',
] as const; // prettier-ignore

export type Cipher = (typeof CIPHERS)[number];

export interface CipherKey {
  /** The password, or a raw key in hexadecimal as SQLCipher writes it: `x'…'`. */
  readonly secret: Uint8Array;
  /** Null: they are tried one after another; a new file gets the first. */
  readonly cipher: Cipher | null;
  /** Null: what the cipher prescribes. */
  readonly pageBytes: number | null;
  readonly kdfIterations: number | null;
  /** Bytes at the beginning of the file that are not encrypted. Null: none. */
  readonly plainHeaderBytes: number | null;
}
