import { expect, test } from 'vitest';
import { EMPTY_DRAFT, keyOfDraft } from './key-dialog.tsx';

const DIGITS = '2b7e151628aed2a6abf7158809cf4f3c2b7e151628aed2a6abf7158809cf4f3c';
const SALT = '00112233445566778899aabbccddeeff';
const of = (change: object) => keyOfDraft({ ...EMPTY_DRAFT, ...change });

test('a password is sent as it is typed, white space included', () => {
  expect(of({ secret: ' a b ' })).toEqual({
    key: {
      secret: ' a b ',
      cipher: null,
      pageBytes: null,
      kdfIterations: null,
      plainHeaderBytes: null,
      remember: false,
    },
  });
});

test.each([DIGITS, `x'${DIGITS}'`, `0x${DIGITS}`, ` X'${DIGITS.slice(0, 32)} ${DIGITS.slice(32)}' `])(
  'the raw key %s is sent as SQLCipher writes it',
  (secret) => expect(of({ secret, isRaw: true })).toMatchObject({ key: { secret: `x'${DIGITS}'` } }),
);

test('what is chosen besides is sent as numbers', () => {
  const typed = { cipher: 'sqlcipher3', pageBytes: '2048', kdfIterations: ' 5000 ', plainHeaderBytes: '32' };
  expect(of({ secret: DIGITS + SALT, isRaw: true, ...typed })).toMatchObject({
    key: { cipher: 'sqlcipher3', pageBytes: 2048, kdfIterations: 5000, plainHeaderBytes: 32 },
  });
});

test.each([
  [{}, /Enter the password/],
  [{ secret: 'abc', isRaw: true }, /64 hexadecimal digits/],
  // It would be taken for a password.
  [{ secret: "x'12'" }, /64 hexadecimal digits/],
  [{ secret: 'p', kdfIterations: '1.5' }, /KDF iterations: a whole number/],
  [{ secret: 'p', kdfIterations: 'many' }, /KDF iterations: a whole number/],
  // Nothing could stop so many.
  [{ secret: 'p', kdfIterations: '2000000000' }, /KDF iterations: a whole number/],
  [{ secret: 'p'.repeat(10_001) }, /10000 characters at most/],
  [{ secret: 'p', plainHeaderBytes: '32' }, /last 32 are the salt/],
  [{ secret: DIGITS, isRaw: true, plainHeaderBytes: '32' }, /last 32 are the salt/],
])('%o is no key, and a sentence says why', (draft, why) => {
  expect(of(draft)).toEqual({ why: expect.stringMatching(why) as string });
});

test('the password of a new database is typed twice', () => {
  const draft = { ...EMPTY_DRAFT, secret: 'secret' };
  expect(keyOfDraft({ ...draft, repeated: 'secrets' }, true)).toEqual({
    why: expect.stringMatching(/not the same/) as string,
  });
  expect(keyOfDraft({ ...draft, repeated: 'secret' }, true)).toMatchObject({ key: { secret: 'secret' } });
});
