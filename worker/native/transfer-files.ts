// Scratch databases of the native engine, and the files they are made of.
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, Engine } from '../engines/engine.ts';
import type { FileWriter } from '../engines/wasm/storage/file-pool.ts';
import type { ScratchStore } from '../transfer/scratch.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';
import type { ScratchDatabase } from '../library/scratch.ts';

export const scratchFiles = (engine: Engine): ScratchStore => ({
  readsUtf16: true,
  isEncrypted: engine.isEncrypted === true,
  async make() {
    const folder = makeScratchFolder();
    const file = join(folder, 'scratch.sqlite3');
    return {
      file,
      createWriter: fileWriter,
      open: (options) => engine.open(file, options),
      // An encrypted database cannot be replaced as a whole: its tables are moved.
      ...(engine.isEncrypted !== true && {
        copyInto: (target: Connection, assertStill: () => void) => target.restoreFrom(file, undefined, assertStill),
      }),
      remove: () => removeScratchFolder(folder),
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

// Scratch databases, each in a folder of its own. Disposing of one removes it from the disk.

/** @throws AppError `full`, `io` */
export function openScratchFile(engine: Pick<Engine, 'open'>): ScratchDatabase {
  const folder = makeScratchFolder();
  try {
    const connection = engine.open(join(folder, 'scratch.db'), { durability: 'balanced', create: true });
    // Waiting for the disk is unnecessary: an incomplete file is discarded.
    connection.run('PRAGMA synchronous = OFF');
    return { connection, dispose: () => (connection.close(), removeScratchFolder(folder)) };
  } catch (error) {
    removeScratchFolder(folder);
    throw error;
  }
}

/** Returns the same connection; `ended` is called just before it is closed. */
export function endingWith(connection: Connection, ended: () => void): Connection {
  const close = connection.close.bind(connection);
  connection.close = () => {
    ended();
    close();
  };
  return connection;
}
