// Bundles electron/dev/hook.ts, which Electron loads ahead of the app's main file.
import { join } from 'node:path';
import { build } from 'vite';
import { electronConfig } from '../targets.ts';

/** Returns the file. */
export async function buildHook(outDir: string): Promise<string> {
  await build(electronConfig('dev/hook.ts', outDir));
  return join(outDir, 'electron', 'hook.cjs');
}
