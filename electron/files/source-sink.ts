// Saves over the file a database came from: only if it is in the state the user expects, and never without a backup.
import { stat, readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import { samePrint, type SourcePrint } from '#shared/source-print.ts';
import { isDenied, isWritable } from './file-access.ts';
import { isMissing, readError } from './file-errors.ts';
import { SinkFile, isDatabaseLocked } from './sink-file.ts';
import type { Backup, SourceBackups } from './source-backups.ts';
import { forPeople } from './source-file.ts';
import { realTarget } from './real-target.ts';
import type { UnfinishedFiles } from './unfinished-files.ts';
import { createHash } from 'node:crypto';
import type { SourceFileState } from '#shared/protocol/files.ts';

export class SourceSink extends SinkFile {
  /** Null: any file there may be replaced. */
  readonly #expected: SourcePrint | null;
  readonly #backups: SourceBackups;

  private constructor(path: string, expected: SourcePrint | null, backups: SourceBackups, unfinished: UnfinishedFiles) {
    super(path, unfinished);
    this.#expected = expected;
    this.#backups = backups;
  }

  /** @throws AppError `conflict`, `locked`, `io` before anything is written */
  static async open(
    path: string,
    expected: SourcePrint | null,
    backups: SourceBackups,
    unfinished: UnfinishedFiles,
  ): Promise<SourceSink> {
    const real = realTarget(path);
    await assertMayReplace(real, expected);
    return new SourceSink(real, expected, backups, unfinished);
  }

  protected override async beforeReplace(): Promise<Backup | null> {
    await assertMayReplace(this.path, this.#expected);
    return (await exists(this.path)) ? this.#backups.keep(this.path) : null;
  }

  protected override refusal(thrown: unknown): AppError {
    if (!isDenied(thrown)) return super.refusal(thrown);
    return AppError.io(
      `“${this.fileName}” was not saved: no file can be created in its folder (${forPeople(dirname(this.path))}). The file was not changed, and your changes are safe in the library. Allow writing to the folder, or export to another one.`,
    );
  }
}

async function assertMayReplace(path: string, expected: SourcePrint | null): Promise<void> {
  const fileName = basename(path);
  const use = await useOf(path);
  if (use) {
    throw AppError.locked(
      `${use} so it was not replaced. Close it there and save again. Your changes are safe in the library.`,
    );
  }
  if (!(await isWritable(path)))
    throw AppError.io(
      `“${fileName}” is read-only, so it was not replaced. Your changes are safe in the library. Allow writing to the file, or export to another one.`,
    );
  if (expected === null) return;
  const now = await printOf(path).catch((thrown: unknown) => {
    if (isMissing(thrown)) return null;
    throw thrown;
  });
  if (now && samePrint(now, expected)) return;
  throw AppError.conflict(
    now
      ? `“${fileName}” was changed on disk since it was imported or last saved, so it was not replaced. Compare first, or choose to replace it.`
      : `“${fileName}” no longer exists, so nothing was saved. Your changes are safe in the library.`,
  );
}

/** Why the file must not be replaced, as the beginning of a sentence. */
async function useOf(path: string): Promise<string | null> {
  const name = `“${basename(path)}”`;
  for (const side of [`${path}-wal`, `${path}-journal`]) {
    const found = await stat(side).catch(() => null);
    if (found && found.size > 0)
      return `Another program has ${name} open, or left unfinished work in “${basename(side)}” next to it,`;
  }
  return (await isDatabaseLocked(path)) ? `Another program has ${name} open,` : null;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

// Examines a source file without opening it as a database: whether it exists, and whether it has changed.

/** Up to this size, reading the whole file takes a few ms and tells a touched file from a changed one. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

export async function lookAt(path: string, fileName: string): Promise<SourceFileState> {
  try {
    return { found: 'file', print: await printOf(path) };
  } catch (thrown) {
    return isMissing(thrown) ? { found: 'missing' } : { found: 'unreadable', why: readError(fileName, thrown).message };
  }
}

/** The state is requested after each commit and on window focus: a hash stays valid while the file's metadata is the same. */
const hashes = new Map<string, { readonly looks: string; readonly hash: string }>();

/** Follows links. Fails with file system errors. */
export async function printOf(path: string): Promise<SourcePrint> {
  const main = await stat(path);
  if (!main.isFile()) throw Object.assign(new Error('no file'), { code: 'EISDIR' });
  const wal = await stat(`${path}-wal`).catch(() => null);
  const looks = {
    sizeBytes: main.size,
    modifiedAtMs: main.mtimeMs,
    fileId: `${main.dev}:${main.ino}`,
    walSizeBytes: wal?.size ?? 0,
    walModifiedAtMs: wal && wal.size > 0 ? wal.mtimeMs : 0,
  };
  if (looks.sizeBytes + looks.walSizeBytes > MAX_READ_BYTES) return { ...looks, content: null };
  const key = JSON.stringify({ ...looks, changedAtMs: main.ctimeMs });
  const known = hashes.get(path);
  const content = known?.looks === key ? known.hash : await hashOf(path, looks.walSizeBytes > 0);
  hashes.set(path, { looks: key, hash: content });
  return { ...looks, content };
}

async function hashOf(path: string, withWal: boolean): Promise<string> {
  const hash = createHash('sha256').update(await readFile(path));
  if (withWal) hash.update(await readFile(`${path}-wal`));
  return hash.digest('hex');
}
