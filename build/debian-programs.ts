// Programs that tests need and that Debian packages hold: unpacked beside the downloads, once for all checkouts, and never installed, so that no
// service begins. apt compares their bytes with what Debian has signed.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isWorthAnotherTry, noteFailure, readFailure } from './download-again.ts';
import { userCache } from './paths.ts';

const DOWNLOAD_MS = 300_000;

const run = promisify(execFile);

/** `root`: the folder that stands for `/`. `why`: the programs are not available here. */
type EnsuredPrograms = { readonly root: string } | { readonly why: string };

interface DebianPrograms {
  /** Name of their folder in the cache. */
  readonly name: string;
  /** Name for messages: “PostgreSQL”. */
  readonly title: string;
  readonly packages: readonly string[];
}

/** Supports Debian and its kin only, in the release that the machine has. */
export async function ensureDebianPrograms({ name, title, packages }: DebianPrograms): Promise<EnsuredPrograms> {
  if (!existsSync('/usr/bin/apt-get')) return { why: `${title} for tests comes from Debian packages` };
  const root = userCache(`debian-${name}`);
  if (existsSync(root)) return { root };
  const failed = userCache(`debian-${name}-download-failed`);
  const version = packages.join('+');
  if (!(await isWorthAnotherTry(readFailure(failed), version, async () => false)))
    return { why: `${title} for tests could not be downloaded a short while ago` };
  try {
    await download(packages, root);
    return { root };
  } catch (error) {
    noteFailure(failed, version, 'failed');
    return { why: `${title} for tests cannot be had: ${String((error as Error).message).split('\n')[0]}` };
  }
}

async function download(packages: readonly string[], root: string): Promise<void> {
  mkdirSync(userCache(), { recursive: true });
  const folder = mkdtempSync(`${root}-download-`);
  try {
    const exact = (await missing(packages).catch(() => refreshed(packages))).map(
      ({ name, version }) => `${name}=${version}`,
    );
    await run('apt-get', ['download', '-qq', ...exact], { cwd: folder, timeout: DOWNLOAD_MS });
    const unpacked = join(folder, 'root');
    for (const file of readdirSync(folder).filter((each) => each.endsWith('.deb')))
      await run('dpkg-deb', ['-x', join(folder, file), unpacked], { timeout: DOWNLOAD_MS });
    // Rename atomically, because several test runners may want it at the same time.
    if (!existsSync(root)) renameSync(unpacked, root);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A fresh image has no package lists. */
async function refreshed(packages: readonly string[]): ReturnType<typeof missing> {
  await run('apt-get', ['update', '-qq'], { timeout: DOWNLOAD_MS });
  return missing(packages);
}

/** The packages, and those that they need and the machine lacks. */
async function missing(
  packages: readonly string[],
): Promise<readonly { readonly name: string; readonly version: string }[]> {
  const options = ['--print-uris', '--reinstall', '--no-install-recommends', '-qq', '-y'];
  const { stdout } = await run('apt-get', ['install', ...options, ...packages], { timeout: DOWNLOAD_MS });
  // 'http://…' mariadb-client_1%3a10.11.19-0+deb12u1_amd64.deb 2952092
  return [...stdout.matchAll(/^'\S+' ([^_\s]+)_([^_\s]+)_\w+\.deb /gm)].map(([, name, version]) => ({
    name: name!,
    version: decodeURIComponent(version!),
  }));
}
