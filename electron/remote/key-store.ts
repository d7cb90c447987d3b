// Encrypts tokens with a key that the operating system keeps for this user.
import { safeStorage } from 'electron';
import { hasOwnKey } from '../compat.ts';
import { log } from '../crash.ts';

export interface KeyStore {
  readonly isAvailable: boolean;
  /** Base64; null where there is no key. */
  encrypt(text: string): string | null;
  /** Null if it was encrypted with another key. */
  decrypt(text: string): string | null;
}

/** To be used after `app` is ready. */
export const systemKeyStore: KeyStore = {
  get isAvailable() {
    return safeStorage.isEncryptionAvailable() && hasOwnKey();
  },
  encrypt(text) {
    if (!this.isAvailable) return null;
    return safeStorage.encryptString(text).toString('base64');
  },
  decrypt(text) {
    if (!this.isAvailable) return null;
    try {
      return safeStorage.decryptString(Buffer.from(text, 'base64'));
    } catch {
      log('a stored token could not be decrypted: the key of the operating system has changed');
      return null;
    }
  },
};
