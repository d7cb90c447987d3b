// Temporary files for results that outgrow memory: opened ahead of time, because opening is asynchronous and a running statement cannot
// wait. In a browser worker they are in OPFS under `spool/`, which is emptied at the start.

export interface SpoolFile {
  write(bytes: Uint8Array, offset: number): void;
  read(into: Uint8Array, offset: number): void;
  /** Closes and removes the file. */
  discard(): void;
}

export interface SpoolStorage {
  /** A new file, or null when none is ready. */
  take(): SpoolFile | null;
}

const READY_FILES = 2;

let storage: SpoolStorage = { take: () => null };

export function spoolStorage(): SpoolStorage {
  return storage;
}

export function useSpoolStorage(chosen: SpoolStorage): void {
  storage = chosen;
}

/** Opens `spool/` under `root`, removes what an earlier run left there, and uses it from now on. */
export async function startOpfsSpool(root: FileSystemDirectoryHandle): Promise<void> {
  const directory = await root.getDirectoryHandle('spool', { create: true });
  const leftovers: string[] = [];
  for await (const name of directory.keys()) leftovers.push(name);
  // A file that cannot be removed (another tab still closing) does not matter: names are never used twice.
  await Promise.all(leftovers.map((name) => directory.removeEntry(name).catch(() => undefined)));
  const ready: SpoolFile[] = [];
  const refill = async (): Promise<void> => {
    try {
      while (ready.length < READY_FILES) ready.push(await openSpoolFile(directory));
    } catch {
      // There is no room for a file: the library works without one, and a result that needs one fails with `full`.
    }
  };
  await refill();
  useSpoolStorage({
    take() {
      const file = ready.pop() ?? null;
      void refill();
      return file;
    },
  });
}

async function openSpoolFile(directory: FileSystemDirectoryHandle): Promise<SpoolFile> {
  const name = crypto.randomUUID();
  const handle = await (await directory.getFileHandle(name, { create: true })).createSyncAccessHandle();
  return {
    write: (bytes, offset) => void handle.write(bytes as Uint8Array<ArrayBuffer>, { at: offset }),
    read: (into, offset) => void handle.read(into as Uint8Array<ArrayBuffer>, { at: offset }),
    discard() {
      handle.close();
      directory.removeEntry(name).catch(() => undefined);
    },
  };
}
