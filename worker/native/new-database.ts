// The bytes of a database with nothing in it, as an engine makes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../engines/engine.ts';
import { makeScratchFolder, removeScratchFolder } from './scratch-folders.ts';

/** An encrypted one is more than an empty file, which would be a database without a key. @throws AppError `full`, `io`, `invalid` */
export function newDatabase(engine: Pick<Engine, 'open'>): Uint8Array {
  const folder = makeScratchFolder();
  try {
    const path = join(folder, 'new.db');
    const connection = engine.open(path, { durability: 'full', create: true });
    try {
      // SQLite writes no page before it has to.
      connection.run('PRAGMA user_version = 0');
    } finally {
      connection.close();
    }
    return readFileSync(path);
  } finally {
    removeScratchFolder(folder);
  }
}
