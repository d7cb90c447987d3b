// Temporary files for results that outgrow memory: gone from their folder at once, from the disk with the process.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SpoolFile, SpoolStorage } from '../readers/spool-storage.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';

export const temporarySpool: SpoolStorage = {
  take() {
    try {
      return openSpoolFile();
    } catch {
      return null; // no room for a file: the result fails with `full`
    }
  },
};

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
