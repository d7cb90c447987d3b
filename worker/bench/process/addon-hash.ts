// The hash of a native addon as it was really loaded.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

interface LoadedLibraries {
  readonly sharedObjects?: readonly string[];
}

/** `name` is a part of its path. Null when it cannot be determined. */
export function hashOfAddon(name: string): string | null {
  try {
    const { sharedObjects = [] } = process.report.getReport() as LoadedLibraries;
    const path = sharedObjects.find((object) => object.endsWith('.node') && object.replaceAll('-', '_').includes(name));
    return path === undefined ? null : createHash('sha256').update(readFileSync(path)).digest('hex');
  } catch {
    return null;
  }
}
