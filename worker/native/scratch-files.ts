// Databases in which something is built, in a folder nobody else may look into: gone from the disk when they are disposed of.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../engines/engine.ts';
import type { ScratchDatabase } from '../library/scratch.ts';

/** @throws AppError `full`, `io` */
export function openScratchFile(engine: Pick<Engine, 'open'>): ScratchDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-scratch-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const connection = engine.open(join(folder, 'scratch.db'), { durability: 'balanced', create: true });
    // Nobody waits for a file that is thrown away unless it is whole.
    connection.run('PRAGMA synchronous = OFF');
    return { connection, dispose: () => (connection.close(), remove()) };
  } catch (error) {
    remove();
    throw error;
  }
}
