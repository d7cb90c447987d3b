import { expect, it } from 'vitest';
import { readTypedKey } from './typed-key.ts';

const SECRET = 'correct horse';
const TYPED = {
  secret: SECRET,
  remember: false,
  cipher: null,
  pageBytes: null,
  kdfIterations: null,
  plainHeaderBytes: null,
};

it('takes a key as a window sends it', () => {
  const settings = { cipher: 'sqlcipher3', pageBytes: 2048, kdfIterations: 5000 };
  expect(readTypedKey({ ...TYPED, ...settings })).toMatchObject({
    key: { ...settings, secret: Buffer.from(SECRET) },
    remember: false,
  });
});

it.each([
  null, SECRET, {}, { ...TYPED, cipher: 'rot13' }, { ...TYPED, pageBytes: 1000 }, { ...TYPED, pageBytes: 2 ** 40 },
  { ...TYPED, kdfIterations: 0 }, { ...TYPED, plainHeaderBytes: 32 }, { ...TYPED, secret: '' },
  { ...TYPED, secret: `x'${SECRET}'` }, { ...TYPED, secret: SECRET.repeat(1000) },
])('refuses %o without a word of it, because errors are logged', (argument) => {
  let message = '';
  try {
    readTypedKey(argument);
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain('cannot be read');
  expect(message).not.toContain('correct');
}); // prettier-ignore
