// Scratch databases, each in a folder of its own. Disposing of one removes it from the disk.
import { join } from 'node:path';
import type { Engine } from '../engines/engine.ts';
import type { ScratchDatabase } from '../library/scratch.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';

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
