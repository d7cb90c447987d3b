// What is typed into the dialog about an encrypted file, and the key that it means.
import { CIPHER_SETTINGS, MOST_SECRET, problemOfSecret } from '#shared/cipher-key.ts';
import type { Cipher, TypedKey } from '#shared/cipher-key.ts';

export interface KeyDraft {
  readonly secret: string;
  readonly isRaw: boolean;
  readonly cipher: Cipher | null;
  /** These three as text; empty: what the cipher prescribes. */
  readonly pageBytes: string;
  readonly kdfIterations: string;
  readonly plainHeaderBytes: string;
  readonly remember: boolean;
  /** The secret once more, of a file that is to get it. */
  readonly repeated: string;
  /** The file is not to be encrypted any more. */
  readonly removes: boolean;
}

export const EMPTY_DRAFT: KeyDraft = {
  ...{ secret: '', isRaw: false, cipher: null },
  ...{ pageBytes: '', kdfIterations: '', plainHeaderBytes: '' },
  remember: false,
  repeated: '',
  removes: false,
};

export const CIPHER_NAMES: Readonly<Record<Cipher, string>> = {
  ...{ sqlcipher4: 'SQLCipher 4', sqlcipher3: 'SQLCipher 3', sqlcipher2: 'SQLCipher 2', sqlcipher1: 'SQLCipher 1' },
  ...{ chacha20: 'ChaCha20 (sqleet)', aes256: 'AES-256 (wxSQLite3)', aes128: 'AES-128 (wxSQLite3)' },
  ...{ rc4: 'RC4 (System.Data.SQLite)', ascon: 'Ascon-128' },
};

export const PAGE_SIZES = ['512', '1024', '2048', '4096', '8192', '16384', '32768', '65536'] as const;
export const PLAIN_HEADERS = ['16', '32', '48', '64', '80', '96'] as const;

const RAW = "A raw key has 64 hexadecimal digits, or 96 if the file's salt is at its end.";
const PROBLEMS = {
  empty: 'Enter the password or raw key.',
  raw: RAW,
  long: `A password has ${MOST_SECRET} characters at most.`,
  repeated: 'The two are not the same. Enter the password or raw key again.',
  salt: 'A file whose first bytes are not encrypted does not contain its salt: enter a raw key of 96 hexadecimal digits, of which the last 32 are the salt.',
} as const;

/** The key, or a sentence about what is wrong with the draft. @param isNew of a file that is to get it */
export function keyOfDraft(draft: KeyDraft, isNew = false): { readonly key: TypedKey } | { readonly why: string } {
  const numbers = {
    pageBytes: numberOf(draft.pageBytes),
    kdfIterations: numberOf(draft.kdfIterations),
    plainHeaderBytes: numberOf(draft.plainHeaderBytes),
  };
  const { isOne, takes } = CIPHER_SETTINGS.kdfIterations;
  if (numbers.kdfIterations !== null && !isOne(numbers.kdfIterations)) return { why: `KDF iterations: ${takes}.` };
  if (draft.secret === '') return { why: PROBLEMS.empty };
  if (draft.secret.length > MOST_SECRET) return { why: PROBLEMS.long };
  const secret = draft.isRaw ? rawKey(draft.secret) : draft.secret;
  if (isNew && draft.repeated !== draft.secret) return { why: PROBLEMS.repeated };
  const problem = problemOfSecret(secret, numbers);
  if (problem !== null) return { why: PROBLEMS[problem] };
  return { key: { secret, cipher: draft.cipher, ...numbers, remember: draft.remember } };
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** As SQLCipher writes it, whether its quotation marks were typed or not. */
const rawKey = (typed: string): string => `x'${typed.replace(/\s/g, '').replace(/^(?:x'|0x)|'$/gi, '')}'`;
