// Scratch databases in a folder that no other user can read. Disposing of one removes it from the disk.
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
    // Waiting for the disk is unnecessary: an incomplete file is discarded.
    connection.run('PRAGMA synchronous = OFF');
    return { connection, dispose: () => (connection.close(), remove()) };
  } catch (error) {
    remove();
    throw error;
  }
}
