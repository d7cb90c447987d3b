// The keys of encrypted files that a person has asked Sidelite to remember: in a JSON file of the profile, sealed with a key that the operating
// system keeps for this user.
import * as v from 'valibot';
import { CIPHERS } from '#shared/cipher-key.ts';
import type { CipherKey } from '#shared/cipher-key.ts';
import { eachEntry, parsedJson } from '#shared/stored.ts';
import { readJson, writeJson } from '../json-file.ts';
import type { KeyStore } from '../remote/key-store.ts';

const number = v.nullable(v.number());
/** What is sealed: the key, and which file it is for. */
const SEALED = v.object({
  locationId: v.string(),
  salt: v.string(),
  key: v.object({
    secret: v.string(),
    cipher: v.nullable(v.picklist(CIPHERS)),
    ...{ pageBytes: number, kdfIterations: number, plainHeaderBytes: number },
  }),
});

/** A file, and the bytes it begins with: there an encrypted file has the salt of its key. */
export interface KeyedFile {
  readonly locationId: string;
  /** In hexadecimal. */
  readonly salt: string;
}

export class RememberedKeys {
  readonly #path: string;
  readonly #keys: KeyStore;
  /** Sealed, by location. */
  readonly #all: Map<string, string>;

  constructor(path: string, keys: KeyStore) {
    this.#path = path;
    this.#keys = keys;
    this.#all = new Map(Object.entries(v.parse(eachEntry(v.string()), readJson(path))));
  }

  get isAvailable(): boolean {
    return this.#keys.isAvailable;
  }

  /** Null for another file than the key was remembered for, also at the same place, and where it cannot be unsealed. */
  find({ locationId, salt }: KeyedFile): CipherKey | null {
    const sealed = this.#all.get(locationId);
    const text = sealed === undefined ? null : this.#keys.decrypt(sealed);
    const read = text === null ? null : v.safeParse(SEALED, parsedJson(text));
    if (!read?.success || read.output.locationId !== locationId || read.output.salt !== salt) return null;
    const { key } = read.output;
    return { ...key, secret: Buffer.from(key.secret, 'base64') };
  }

  /** Returns false if the key store of the system reports an error: nothing is kept then. */
  keep({ locationId, salt }: KeyedFile, key: CipherKey): boolean {
    const secret = Buffer.from(key.secret).toString('base64');
    const content: v.InferOutput<typeof SEALED> = { locationId, salt, key: { ...key, secret } };
    const sealed = this.#keys.encrypt(JSON.stringify(content));
    if (sealed === null) this.#all.delete(locationId);
    else this.#all.set(locationId, sealed);
    this.#write();
    return sealed !== null;
  }

  /** Returns false if there was none. */
  forget(locationId: string): boolean {
    const had = this.#all.delete(locationId);
    if (had) this.#write();
    return had;
  }

  #write(): void {
    writeJson(this.#path, Object.fromEntries(this.#all));
  }
}
