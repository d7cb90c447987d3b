// Temporary files for results that outgrow memory: gone from their folder at once, from the disk with the process.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { createCipheriv, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { SpoolFile, SpoolStorage } from '../readers/spool-storage.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';

const [KEY_BYTES, BLOCK_BYTES] = [32, 16];

export const temporarySpool: SpoolStorage = { take: () => orNull(openSpoolFile) };

/** Encrypted with keys that are nowhere but in memory. */
export const encryptedSpool: SpoolStorage = { take: () => orNull(() => encrypted(openSpoolFile())) };

function orNull(open: () => SpoolFile): SpoolFile | null {
  try {
    return open();
  } catch {
    return null; // no room for a file: the result fails with `full`
  }
}

/** @param file nothing in it is written twice: with this cipher the two could be compared */
export function encrypted(file: SpoolFile): SpoolFile {
  const key = randomBytes(KEY_BYTES);
  /** The same operation encrypts and decrypts. */
  const turned = (bytes: Uint8Array, offset: number): Uint8Array => {
    const counter = Buffer.alloc(BLOCK_BYTES);
    counter.writeBigUInt64BE(BigInt(Math.floor(offset / BLOCK_BYTES)), BLOCK_BYTES - 8);
    const cipher = createCipheriv('aes-256-ctr', key, counter);
    cipher.update(new Uint8Array(offset % BLOCK_BYTES));
    return cipher.update(bytes);
  };
  return {
    write: (bytes, offset) => file.write(turned(bytes, offset), offset),
    read(into, offset) {
      file.read(into, offset);
      into.set(turned(into, offset));
    },
    discard: () => file.discard(),
  };
}

function openSpoolFile(): SpoolFile {
  const folder = makeScratchFolder();
  const descriptor = openSync(join(folder, 'rows'), 'w+', 0o600);
  // Windows keeps open files from being removed.
  if (process.platform !== 'win32') removeScratchFolder(folder);
  return {
    write(bytes, offset) {
      for (let done = 0; done < bytes.length;)
        done += writeSync(descriptor, bytes, done, bytes.length - done, offset + done);
    },
    read(into, offset) {
      for (let done = 0; done < into.length;) {
        const count = readSync(descriptor, into, done, into.length - done, offset + done);
        if (count === 0) return;
        done += count;
      }
    },
    discard() {
      closeSync(descriptor);
      if (process.platform === 'win32') removeScratchFolder(folder);
    },
  };
}
