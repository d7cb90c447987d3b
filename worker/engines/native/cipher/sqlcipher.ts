// The file format of SQLCipher, as far as SQLite does not have to be asked (zetetic.net/sqlcipher/design).
import { createDecipheriv, createHmac, pbkdf2Sync } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { Cipher, CipherKey } from '#shared/cipher-key.ts';

/** How it makes a key of a password, by the version of its format. */
export const DERIVATIONS = {
  sqlcipher4: { legacy: 4, hash: 'sha512', iterations: 256_000, pageBytes: 4096 },
  sqlcipher3: { legacy: 3, hash: 'sha1', iterations: 64_000, pageBytes: 1024 },
  sqlcipher2: { legacy: 2, hash: 'sha1', iterations: 4000, pageBytes: 1024 },
  sqlcipher1: { legacy: 1, hash: 'sha1', iterations: 4000, pageBytes: 1024 },
} as const;

export type SqlCipher = keyof typeof DERIVATIONS;

export const isSqlCipher = (cipher: Cipher): cipher is SqlCipher => Object.hasOwn(DERIVATIONS, cipher);

const PAGES = [2, 3, 4];
const [KEY_BYTES, SALT_BYTES, VECTOR_BYTES, BLOCK_BYTES] = [32, 16, 16, 16];
/** SQLCipher makes the key of its digests of the salt with these bits turned, in two rounds. */
const [TURNED, ROUNDS] = [0x3a, 2];

/**
 * Whether a key fits pages after the first one, each of which ends with a digest of its bytes. It tells a wrong key from a damaged first
 * page; in a file that is damaged as far as its salt the two look the same.
 *
 * @param raw key and salt in hexadecimal
 */
export function fitsLaterPages(location: string, given: CipherKey, cipher: SqlCipher, raw: string): boolean {
  // Version 1 has no digests.
  if (cipher === 'sqlcipher1') return false;
  const { hash, pageBytes: usual } = DERIVATIONS[cipher];
  const pageBytes = given.pageBytes ?? usual;
  const bytes = Buffer.from(raw, 'hex');
  const salt = bytes.subarray(KEY_BYTES, KEY_BYTES + SALT_BYTES).map((byte) => byte ^ TURNED);
  const key = pbkdf2Sync(bytes.subarray(0, KEY_BYTES), salt, ROUNDS, KEY_BYTES, hash);
  const digestBytes = digestBytesOf(cipher);
  const reserved = neededBytes(cipher);
  const descriptor = openSync(location, 'r');
  try {
    return PAGES.some((page) => {
      const content = Buffer.alloc(pageBytes);
      if (readSync(descriptor, content, 0, pageBytes, (page - 1) * pageBytes) < pageBytes) return false;
      const end = pageBytes - reserved + VECTOR_BYTES;
      const number = Buffer.alloc(4);
      number.writeUInt32LE(page);
      const digest = createHmac(hash, key).update(content.subarray(0, end)).update(number).digest();
      return digest.equals(content.subarray(end, end + digestBytes));
    });
  } finally {
    closeSync(descriptor);
  }
}

const digestBytesOf = (cipher: SqlCipher): number =>
  cipher === 'sqlcipher1' ? 0 : DERIVATIONS[cipher].hash === 'sha512' ? 64 : 20;

/** What a page keeps free at its end is a multiple of the cipher's block. */
const neededBytes = (cipher: SqlCipher): number =>
  Math.ceil((VECTOR_BYTES + digestBytesOf(cipher)) / BLOCK_BYTES) * BLOCK_BYTES;

/** Where the header of a database says how many bytes its pages keep free at their ends. */
const RESERVED_AT = 20;

/**
 * Whether pages keep just as many bytes free as the cipher needs. A file of an older format that SQLCipher 4 has made keeps as many as that
 * of version 4: the format is named after the key, and SQLite takes no such byte back.
 *
 * @param first the first page
 * @param raw key and salt in hexadecimal
 */
export function hasUsualReserve(first: Buffer, given: CipherKey, cipher: SqlCipher, raw: string): boolean {
  if (given.plainHeaderBytes !== null && given.plainHeaderBytes > RESERVED_AT)
    return first[RESERVED_AT] === neededBytes(cipher);
  const vectorAt = (given.pageBytes ?? DERIVATIONS[cipher].pageBytes) - neededBytes(cipher);
  const vector = first.subarray(vectorAt, vectorAt + VECTOR_BYTES);
  // There is no whole page, so the key does not fit anyway.
  if (vector.length < VECTOR_BYTES) return true;
  const key = Buffer.from(raw, 'hex').subarray(0, KEY_BYTES);
  const decipher = createDecipheriv('aes-256-cbc', key, vector).setAutoPadding(false);
  // The salt takes the place of the first block.
  const block = decipher.update(first.subarray(SALT_BYTES, SALT_BYTES + BLOCK_BYTES));
  return block[RESERVED_AT - SALT_BYTES] === neededBytes(cipher);
}
