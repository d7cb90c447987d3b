// Saves over the file a database came from: only when it is what the person believes it to be, and never without a way back.
import { constants } from 'node:fs';
import { copyFile, link, open, realpath, rm, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import { AppError } from '#shared/protocol/errors.ts';
import { samePrint } from '#shared/source-print.ts';
import type { SourcePrint } from '#shared/source-print.ts';
import { isMissing } from './file-errors.ts';
import { SinkFile } from './sink-file.ts';
import type { SourceBackups } from './source-backups.ts';
import { isLocked } from './file-locks.ts';
import { printOf } from './source-look.ts';
import type { UnfinishedFiles } from './unfinished-files.ts';

interface SourceTarget {
  /** With links followed: what they point to is replaced, not they. */
  readonly path: string;
  /** Null: whatever is there may be replaced. */
  readonly expected: SourcePrint | null;
  /** Null when there is nothing to keep. */
  readonly backup: string | null;
}

export class SourceSink extends SinkFile {
  readonly #target: SourceTarget;
  readonly #backups: SourceBackups;

  private constructor(target: SourceTarget, backups: SourceBackups, unfinished: UnfinishedFiles) {
    super(target.path, unfinished);
    this.#target = target;
    this.#backups = backups;
  }

  /** @throws AppError `conflict`, `locked` before anything is written */
  static async open(
    path: string,
    expected: SourcePrint | null,
    backups: SourceBackups,
    unfinished: UnfinishedFiles,
  ): Promise<SourceSink> {
    const real = await realpath(path).catch(() => path);
    await assertMayReplace(real, expected);
    const isThere = await exists(real);
    return new SourceSink(
      { path: real, expected, backup: isThere ? backups.placeFor(real) : null },
      backups,
      unfinished,
    );
  }

  get backupName(): string | null {
    return this.#target.backup && basename(this.#target.backup);
  }

  protected override async beforeReplace(handle: FileHandle): Promise<void> {
    const { path, expected, backup } = this.#target;
    const before = await stat(path).catch(() => null);
    if (before) {
      await handle.chmod(before.mode & 0o7777);
      // Only root may give files away; anybody else's new file is their own anyway.
      await handle.chown(before.uid, before.gid).catch(() => undefined);
      await handle.sync();
    }
    await assertMayReplace(path, expected);
    if (before && backup) await this.#keep(path, backup);
  }

  /** A second name for the file that is about to be replaced costs nothing; where there are no such names it is copied. */
  async #keep(path: string, backup: string): Promise<void> {
    this.#backups.made(backup);
    await rm(backup, { force: true });
    try {
      await link(path, backup);
    } catch {
      await copyFile(path, backup, constants.COPYFILE_FICLONE).catch(async (thrown: unknown) => {
        await rm(backup, { force: true });
        throw thrown;
      });
      await sync(backup);
    }
  }
}

async function assertMayReplace(path: string, expected: SourcePrint | null): Promise<void> {
  const fileName = basename(path);
  const use = await useOf(path);
  if (use) {
    throw new AppError({
      code: 'locked',
      message: `${use} so it was not replaced. Close it there and save again. Your changes are safe in the library.`,
    });
  }
  if (expected === null) return;
  const now = await printOf(path).catch((thrown: unknown) => {
    if (isMissing(thrown)) return null;
    throw thrown;
  });
  if (now && samePrint(now, expected)) return;
  throw new AppError({
    code: 'conflict',
    message: now
      ? `“${fileName}” was changed on disk since it was imported or last saved, so it was not replaced. Compare first, or decide to replace it.`
      : `“${fileName}” is no longer there, so nothing was saved. Your changes are safe in the library.`,
  });
}

/** What speaks against taking its place, as the beginning of a sentence. */
async function useOf(path: string): Promise<string | null> {
  const name = `“${basename(path)}”`;
  for (const side of [`${path}-wal`, `${path}-journal`]) {
    const found = await stat(side).catch(() => null);
    if (found && found.size > 0)
      return `Another program has ${name} open, or left work unfinished in “${basename(side)}” beside it,`;
  }
  const isOpen = (await isLocked(path)) || (await isLocked(`${path}-shm`));
  return isOpen ? `Another program has ${name} open,` : null;
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}
