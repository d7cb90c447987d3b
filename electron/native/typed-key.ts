// The key of an encrypted file as a page sends it, which is not trusted.
import * as v from 'valibot';
import { CIPHER_SETTINGS, CIPHERS, MOST_SECRET, problemOfSecret } from '#shared/cipher-key.ts';
import type { CipherKey } from '#shared/cipher-key.ts';

const setting = (name: keyof typeof CIPHER_SETTINGS) =>
  v.nullable(v.pipe(v.number(), v.check(CIPHER_SETTINGS[name].isOne)));

const TYPED = v.object({
  secret: v.pipe(v.string(), v.maxLength(MOST_SECRET)),
  remember: v.boolean(),
  cipher: v.nullable(v.picklist(CIPHERS)),
  pageBytes: setting('pageBytes'),
  kdfIterations: setting('kdfIterations'),
  plainHeaderBytes: setting('plainHeaderBytes'),
});

export interface GivenKey {
  readonly key: CipherKey;
  readonly remember: boolean;
}

/** @throws Error without a word of what was entered: errors are logged, and keys are not */
export function readTypedKey(argument: unknown): GivenKey {
  const read = v.safeParse(TYPED, argument);
  if (!read.success || problemOfSecret(read.output.secret, read.output) !== null)
    throw new Error('A key was sent in a form that cannot be read.');
  const { remember, secret, ...settings } = read.output;
  return { key: { ...settings, secret: Buffer.from(secret) }, remember };
}
