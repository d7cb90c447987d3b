// Keeps a source that is saved over as `name.bak` beside it. Only a backup made here, and unchanged since, is replaced by a newer one: any
// other file of that name stays, and the backup gets another name.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, link, open, rename, rm, stat } from 'node:fs/promises';
import * as v from 'valibot';
import { eachEntry } from '#shared/stored.ts';
import { readJson, writeJson } from '../json-file.ts';

export interface Backup {
  readonly path: string;
  /** The source was replaced: deletes the previous backup. */
  confirm(): Promise<void>;
  /** The source was not replaced: restores the previous backup. */
  undo(): Promise<void>;
}

export interface SourceBackups {
  /** Gives the file at `path` a second name. @throws file system errors */
  keep(path: string): Promise<Backup>;
}

export function createSourceBackups(storePath: string): SourceBackups {
  const own = new Map(Object.entries(v.parse(eachEntry(v.string()), readJson(storePath))));
  const save = (): void => writeJson(storePath, Object.fromEntries(own));

  /** Moves first and checks afterwards: between a check and a removal another program could put its own file there. */
  const putAside = async (backupPath: string): Promise<string | null> => {
    const known = own.get(backupPath);
    if (known === undefined || (await printOf(backupPath)) !== known) return null;
    const aside = `${backupPath}.${randomBytes(4).toString('hex')}.old`;
    await rename(backupPath, aside);
    if ((await printOf(aside)) === known) return aside;
    await putBack(aside, backupPath);
    return null;
  };

  return {
    async keep(path) {
      for (let number = 1; ; number++) {
        const backupPath = number === 1 ? `${path}.bak` : `${path}.bak${number}`;
        const aside = await putAside(backupPath);
        const isMade = await nameTwice(path, backupPath).catch(async (thrown: unknown) => {
          if (aside !== null) await putBack(aside, backupPath);
          throw thrown;
        });
        if (!isMade) {
          // Another process created a file with this name first. The older backup no longer belongs to the name, and keeps the name that it
          // has.
          own.delete(backupPath);
          continue;
        }
        const former = own.get(backupPath);
        const made = await printOf(backupPath);
        if (made === null) own.delete(backupPath);
        else own.set(backupPath, made);
        save();
        return {
          path: backupPath,
          confirm: async () => void (aside !== null && (await rm(aside, { force: true }))),
          async undo() {
            if (made !== null && (await printOf(backupPath)) === made) await rm(backupPath, { force: true });
            own.delete(backupPath);
            if (aside !== null && (await putBack(aside, backupPath))) own.set(backupPath, former!);
            save();
          },
        };
      }
    },
  };
}

/** A hard link is free; without hard links the file is copied. Returns false if the name is taken. */
async function nameTwice(path: string, secondPath: string): Promise<boolean> {
  try {
    await link(path, secondPath);
    return true;
  } catch (thrown) {
    if (isTaken(thrown)) return false;
  }
  try {
    await copyFile(path, secondPath, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } catch (thrown) {
    if (isTaken(thrown)) return false;
    throw thrown;
  }
  await sync(secondPath);
  return true;
}

/** Returns false if another file exists there now: both stay. */
async function putBack(aside: string, path: string): Promise<boolean> {
  if (!(await nameTwice(aside, path).catch(() => false))) return false;
  await rm(aside, { force: true });
  return true;
}

/** A fingerprint that changes when the file is replaced or written to. Null if there is no file. */
async function printOf(path: string): Promise<string | null> {
  const stats = await stat(path).catch(() => null);
  return stats && `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}`;
}

const isTaken = (thrown: unknown): boolean => (thrown as { readonly code?: string }).code === 'EEXIST';

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}
