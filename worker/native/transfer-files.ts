// Scratch databases of the native engine: files in a folder of their own among the temporary ones of the system.
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engines/engine.ts';
import type { FileWriter } from '../engines/wasm/storage/file-pool.ts';
import type { ScratchStore } from '../transfer/scratch.ts';

/** Folders to remove when the process exits normally. */
const folders = new Set<string>();
const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
process.once('exit', () => folders.forEach(removeFolder));

export const scratchFiles = (engine: Engine): ScratchStore => ({
  async make() {
    const folder = mkdtempSync(join(tmpdir(), 'sidelite-scratch-'));
    folders.add(folder);
    const file = join(folder, 'scratch.sqlite3');
    return {
      file,
      createWriter: fileWriter,
      open: (options) => engine.open(file, options),
      remove() {
        folders.delete(folder);
        removeFolder(folder);
      },
    };
  },
});

function fileWriter(name: string): FileWriter {
  const descriptor = openSync(name, 'w', 0o600);
  let sizeBytes = 0;
  return {
    get sizeBytes() {
      return sizeBytes;
    },
    write(bytes) {
      for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done, bytes.length - done);
      sizeBytes += bytes.length;
    },
    finish() {
      fsyncSync(descriptor);
      closeSync(descriptor);
    },
    abort() {
      closeSync(descriptor);
      rmSync(name, { force: true });
    },
  };
}
