// Watches the folders of source files that windows have open, and reports which source may have changed. The listener looks up the new
// state of the source.
import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import { realPath } from './real-target.ts';

/** A program that saves writes several times in a row. A file that changes constantly is still reported at this interval. */
const TOLD_AFTER_MS = 200;
const SIDE_FILES = ['', '-wal', '-journal'];

interface SourceWatch {
  /** Sets the sources that window `id` follows from now on. */
  follow(id: number, locationIds: readonly string[]): void;
  isFollowedBy(id: number, locationId: string): boolean;
}

export function createSourceWatch(
  pathOf: (locationId: string) => string | null,
  touched: (locationId: string) => void,
): SourceWatch {
  const wanted = new Map<number, readonly string[]>();
  const watched = new Map<string, () => void>();

  return {
    isFollowedBy: (id, locationId) => wanted.get(id)?.includes(locationId) ?? false,
    follow(id, locationIds) {
      if (locationIds.length > 0) wanted.set(id, locationIds);
      else wanted.delete(id);
      const all = new Set([...wanted.values()].flat());
      for (const [locationId, stop] of watched) {
        if (all.has(locationId)) continue;
        stop();
        watched.delete(locationId);
      }
      for (const locationId of all) {
        const path = pathOf(locationId);
        if (path !== null && !watched.has(locationId))
          watched.set(
            locationId,
            watchFile(path, () => touched(locationId)),
          );
      }
    },
  };
}

/** Watches the folder, because a watch on the file ends when it is replaced or deleted. */
function watchFile(path: string, onTouched: () => void): () => void {
  let timer: NodeJS.Timeout | null = null;
  const watchers: FSWatcher[] = [];
  for (const file of new Set([path, realPath(path)])) {
    const names = new Set(SIDE_FILES.map((suffix) => basename(file) + suffix));
    try {
      const watcher = watch(dirname(file), { persistent: false }, (_event, name) => {
        if (name !== null && !names.has(String(name))) return;
        timer ??= setTimeout(() => {
          timer = null;
          onTouched();
        }, TOLD_AFTER_MS);
      });
      watcher.on('error', () => watcher.close());
      watchers.push(watcher);
    } catch {
      // The folder is gone or cannot be watched: windows check again when they get the focus.
    }
  }
  return () => {
    if (timer) clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
