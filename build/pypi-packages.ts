// Python packages that long tests need as judges: installed in a folder of the user's cache, once for all checkouts, and compared with the bytes that
// were looked at.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isWorthAnotherTry, noteFailure, readFailure } from './download-again.ts';
import { userCache } from './paths.ts';

const DOWNLOAD_MS = 300_000;

const run = promisify(execFile);

export interface PypiPackages {
  /** Name of their folder in the cache: it changes with their versions. */
  readonly name: string;
  /** `name==version` and the SHA-256 of its wheel. */
  readonly wheels: Readonly<Record<string, string>>;
}

/** `folder`: for PYTHONPATH. `why`: they are not available here. */
type EnsuredPackages = { readonly folder: string } | { readonly why: string };

/** A wheel with machine code fits one version of Python: with another one, the packages are not available. */
export async function ensurePypiPackages({ name, wheels }: PypiPackages): Promise<EnsuredPackages> {
  const folder = userCache(`python-${name}`);
  if (existsSync(folder)) return { folder };
  const failed = userCache(`python-${name}-download-failed`);
  const version = Object.keys(wheels).join('+');
  if (!(await isWorthAnotherTry(readFailure(failed), version, async () => false)))
    return { why: `The Python packages ${name} could not be downloaded a short while ago` };
  mkdirSync(userCache(), { recursive: true });
  const made = mkdtempSync(`${folder}-download-`);
  try {
    const list = join(made, 'requirements.txt');
    writeFileSync(
      list,
      Object.entries(wheels)
        .map(([each, hash]) => `${each} --hash=sha256:${hash}\n`)
        .join(''),
    );
    const options = ['--require-hashes', '--no-deps', '--only-binary=:all:', '--disable-pip-version-check', '-q'];
    await run('python3', ['-m', 'pip', 'install', ...options, '-t', join(made, 'packages'), '-r', list], {
      timeout: DOWNLOAD_MS,
    });
    // Rename atomically, because several test runners may want it at the same time.
    if (!existsSync(folder)) renameSync(join(made, 'packages'), folder);
    return { folder };
  } catch (error) {
    noteFailure(failed, version, 'failed');
    return { why: `The Python packages ${name} cannot be had: ${String((error as Error).message).split('\n')[0]}` };
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}
