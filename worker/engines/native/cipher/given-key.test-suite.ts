// Keys as a command gives them, and ciphers as another program names them.
import type { Cipher, CipherKey } from '#shared/cipher-key.ts';

export const CIPHER_PRAGMAS: Readonly<Record<Cipher, readonly string[]>> = {
  sqlcipher4: ["cipher = 'sqlcipher'", 'legacy = 4'],
  sqlcipher3: ["cipher = 'sqlcipher'", 'legacy = 3'],
  sqlcipher2: ["cipher = 'sqlcipher'", 'legacy = 2'],
  sqlcipher1: ["cipher = 'sqlcipher'", 'legacy = 1'],
  chacha20: ["cipher = 'chacha20'"],
  aes256: ["cipher = 'aes256cbc'"],
  aes128: ["cipher = 'aes128cbc'"],
  rc4: ["cipher = 'rc4'"],
  ascon: ["cipher = 'ascon128'"],
};

export const givenKey = (secret: string, settings: Partial<CipherKey> = {}): CipherKey => ({
  secret: Buffer.from(secret),
  cipher: null,
  pageBytes: null,
  kdfIterations: null,
  plainHeaderBytes: null,
  ...settings,
});
