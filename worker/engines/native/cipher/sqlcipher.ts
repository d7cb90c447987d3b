// The file format of SQLCipher, as far as SQLite does not have to be asked (zetetic.net/sqlcipher/design).
import { createHmac, pbkdf2Sync } from 'node:crypto';
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
  const digestBytes = hash === 'sha512' ? 64 : 20;
  // What a page keeps free at its end is a multiple of the cipher's block.
  const reserved = Math.ceil((VECTOR_BYTES + digestBytes) / BLOCK_BYTES) * BLOCK_BYTES;
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
