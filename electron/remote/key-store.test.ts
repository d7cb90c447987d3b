import { expect, it, vi } from 'vitest';
import { keyStoreOf } from './key-store.ts';
import type { SafeStorage } from './key-store.ts';

const { log } = vi.hoisted(() => ({ log: vi.fn<(line: string) => void>() }));
vi.mock('electron', () => ({ safeStorage: {} }));
vi.mock('../compat.ts', () => ({ hasOwnKey: () => true }));
vi.mock('../crash.ts', () => ({ log }));

const TOKEN = 'eyJhbGciOi.secret-token.x';

/** Its only key is the order of the letters. */
const storage: SafeStorage = {
  isEncryptionAvailable: () => true,
  encryptString: (text) => Buffer.from([...text].reverse().join('')),
  decryptString: (encrypted) => [...encrypted.toString()].reverse().join(''),
};

const failing = (): never => {
  throw new Error(`The keyring is locked: ${TOKEN}`);
};

it('encrypts and decrypts', () => {
  const keys = keyStoreOf(storage, () => true);
  const sealed = keys.encrypt(TOKEN)!;
  expect(Buffer.from(sealed, 'base64').toString()).not.toContain('secret');
  expect(keys.decrypt(sealed)).toBe(TOKEN);
});

it('without a key of its own, or while the system does not say, there is no encryption', () => {
  for (const keys of [
    keyStoreOf(storage, () => false),
    keyStoreOf({ ...storage, isEncryptionAvailable: () => false }, () => true),
    keyStoreOf({ ...storage, isEncryptionAvailable: failing }, () => true),
  ]) {
    expect(keys.isAvailable).toBe(false);
    expect(keys.encrypt(TOKEN)).toBeNull();
    expect(keys.decrypt('c2VhbGVk')).toBeNull();
  }
});

it('a failure of the key store is logged without the token, and nothing is thrown', () => {
  log.mockClear();
  const keys = keyStoreOf({ ...storage, encryptString: failing, decryptString: failing }, () => true);
  expect(keys.isAvailable).toBe(true);
  expect(keys.encrypt(TOKEN)).toBeNull();
  expect(keys.decrypt('c2VhbGVk')).toBeNull();
  expect(log).toHaveBeenCalledTimes(2);
  expect(JSON.stringify(log.mock.calls)).not.toContain('secret');
});
