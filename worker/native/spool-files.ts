// Temporary files for results that outgrow memory: gone from their folder at once, from the disk with the process.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpoolFile, SpoolStorage } from '../readers/spool-storage.ts';

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
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-spool-'));
  const descriptor = openSync(join(folder, 'rows'), 'w+', 0o600);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // Windows keeps open files from being removed.
  if (process.platform !== 'win32') remove();
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
      if (process.platform === 'win32') remove();
    },
  };
}
