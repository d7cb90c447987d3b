// Encrypts tokens of servers, and keys of encrypted files, with a key that the operating system keeps for this user.
import { safeStorage } from 'electron';
import { hasOwnKey } from '../compat.ts';
import { log } from '../crash.ts';

export interface KeyStore {
  readonly isAvailable: boolean;
  /** Base64; null where there is no key, or where the system reports an error. */
  encrypt(text: string): string | null;
  /** Null if it was encrypted with another key. */
  decrypt(text: string): string | null;
}

/** The part of Electron's `safeStorage` that is used. */
export interface SafeStorage {
  isEncryptionAvailable(): boolean;
  encryptString(text: string): Buffer;
  decryptString(encrypted: Buffer): string;
}

/** @param hasKey whether only this user's programs get the key */
export function keyStoreOf(storage: SafeStorage, hasKey: () => boolean): KeyStore {
  const isAvailable = (): boolean => {
    try {
      return storage.isEncryptionAvailable() && hasKey();
    } catch {
      log('the key store of the operating system reported an error');
      return false;
    }
  };
  return {
    get isAvailable() {
      return isAvailable();
    },
    encrypt(text) {
      if (!isAvailable()) return null;
      try {
        return storage.encryptString(text).toString('base64');
      } catch {
        // A keyring that was locked since, for example. The error is not logged: it could contain the text.
        log('a token or key could not be encrypted: the key store of the operating system reported an error');
        return null;
      }
    },
    decrypt(text) {
      if (!isAvailable()) return null;
      try {
        return storage.decryptString(Buffer.from(text, 'base64'));
      } catch {
        log('a stored token or key could not be decrypted: the key of the operating system has changed');
        return null;
      }
    },
  };
}

/** Use only after `app` is ready. */
export const systemKeyStore: KeyStore = keyStoreOf(safeStorage, hasOwnKey);
