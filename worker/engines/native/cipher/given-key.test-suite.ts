// Keys as a command gives them.
import type { CipherKey } from '#shared/cipher-key.ts';

export const givenKey = (secret: string, settings: Partial<CipherKey> = {}): CipherKey => ({
  secret: Buffer.from(secret),
  cipher: null,
  pageBytes: null,
  kdfIterations: null,
  plainHeaderBytes: null,
  ...settings,
});
