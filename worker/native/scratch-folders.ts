// Folders for the scratch files of this process, among the temporary ones of the system, which no other user can read. They are removed when
// everything is closed; what a killed process leaves, the app removes at its next start (`electron/scratch-folders.ts`).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scratchPrefix } from '#shared/scratch-names.ts';
import { thisSystem } from './process-table.ts';

const own = new Set<string>();

/** @param parent a private folder, where whoever makes one removes what killed processes have left */
export function makeScratchFolder(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, scratchPrefix(thisSystem())));
  own.add(folder);
  return folder;
}

export function removeScratchFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  own.delete(folder);
}

/** Call when nothing is read from them any more. */
export function removeScratchFolders(): void {
  for (const folder of own)
    try {
      removeScratchFolder(folder);
    } catch {
      // Windows keeps open files from being removed: the next start of the app does it.
    }
}

process.once('exit', removeScratchFolders);
