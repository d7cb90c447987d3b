// Miniflare for tests (MIT), with the D1 engine of Cloudflare's own runtime: installed once for all checkouts, from a lockfile with the
// checksums of all its packages, never started for a user, never shipped.
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { isWorthAnotherTry, noteFailure, readFailure } from '../download-again.ts';
import { inRoot, userCache } from '../paths.ts';

const VERSION = '4.20260730.0';
const INSTALL_MS = 300_000;
const LISTS = ['package.json', 'package-lock.json'];

const run = promisify(execFile);

/** `module`: the address to import it from. `why`: it is not available here. */
export type EnsuredMiniflare = { readonly module: string } | { readonly why: string };

export async function ensureMiniflare(): Promise<EnsuredMiniflare> {
  const folder = userCache(`miniflare-${VERSION}`);
  const { href: module } = pathToFileURL(join(folder, 'node_modules', 'miniflare', 'dist', 'src', 'index.js'));
  if (existsSync(folder)) return { module };
  const failed = userCache('miniflare-download-failed');
  if (!(await isWorthAnotherTry(readFailure(failed), VERSION, async () => false)))
    return { why: 'Miniflare for tests could not be downloaded a short while ago' };
  try {
    await install(folder);
    return { module };
  } catch (error) {
    noteFailure(failed, VERSION, 'failed');
    return { why: `Miniflare for tests cannot be had: ${String((error as Error).message).split('\n')[0]}` };
  }
}

async function install(folder: string): Promise<void> {
  mkdirSync(userCache(), { recursive: true });
  const making = mkdtempSync(userCache('miniflare-download-'));
  try {
    for (const list of LISTS) copyFileSync(inRoot('build', 'd1', 'packages', list), join(making, list));
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', args, { cwd: making, timeout: INSTALL_MS });
    // Rename atomically, because several test runners may want it at the same time; the first one wins.
    if (!existsSync(folder)) renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
