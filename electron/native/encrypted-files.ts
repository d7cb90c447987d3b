// The encrypted files that windows have open: the key of each, which main keeps as long as the file is open in any window, and the process
// that opens it.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { CipherKey } from '#shared/cipher-key.ts';
import { isLikeEncrypted } from '#shared/foreign-files.ts';
import type { ChangedKey, MadeDatabase, NativeFile } from '#shared/native-link.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { encryptedId, inPlaceId, isEncryptedFile } from '#shared/protocol/in-place.ts';
import { PROCESS_PORTS_TAG } from '#shared/shell-api.ts';
import type { InPlaceReply, LockedFile } from '#shared/shell-api.ts';
import type { AppWindow } from '../windows/registry.ts';
import { FileProcess } from './file-process.ts';
import type { FileProcessContext } from './file-process.ts';
import type { RememberedKeys } from './remembered-keys.ts';
import type { GivenKey } from './typed-key.ts';

const HEAD_BYTES = 4096;
const SALT_BYTES = 16;
const NOT_OPEN = 'The file is no longer open, so its password was not changed. Open it again.';
const GAVE_UP =
  'The process that opens this encrypted file stopped four times within a minute, so it is not restarted automatically. Open the file again to start it.';

export const opensForChanges = (fileName: string): string =>
  `“${fileName}” is already open for changes. Close it in all windows, then open it read-only.`;

/** Told by its first bytes. A file that cannot be read says why when it is opened. */
export function mayBeEncrypted(path: string): boolean {
  try {
    return statSync(path).isFile() && isLikeEncrypted(headOf(path, HEAD_BYTES));
  } catch {
    return false;
  }
}

function headOf(path: string, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  const file = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}

/** Why the window cannot open the file; null: it can. */
type Opened = Exclude<InPlaceReply, { readonly file: unknown }> | { readonly isNotRemembered: true } | null;

interface Running {
  readonly process: FileProcess;
  /** Null while no window has the file open: then no process runs either. */
  key: CipherKey | null;
  isOpen: boolean;
  /** The window for which a key is being tried. */
  triesFor: AppWindow | null;
  /** Opening and ending come one after the other. */
  last: Promise<unknown>;
}

export class EncryptedFiles {
  readonly #context: FileProcessContext;
  readonly #nextSlot: () => number;
  readonly #all = new Map<DatabaseId, Running>();
  /** Processes that end with what they do. */
  readonly #passing = new Set<FileProcess>();

  readonly remembered: RememberedKeys;

  /** @param nextSlot for the numbers of the next process */
  constructor(context: FileProcessContext, remembered: RememberedKeys, nextSlot: () => number) {
    this.#context = context;
    this.remembered = remembered;
    this.#nextSlot = nextSlot;
  }

  /** @param typed not needed while the file is open in any window, or where its key is remembered */
  open(window: AppWindow, file: NativeFile, typed: GivenKey | null): Promise<Opened> {
    const running = this.#all.get(file.database) ?? this.#add(file.database);
    const opening = running.last.then(() => this.#open(running, window, file, typed));
    running.last = opening.catch(() => undefined);
    return opening;
  }

  /** The user does not wait for the key that is tried for this window. */
  stopTrying(window: AppWindow): void {
    for (const { triesFor, process } of this.#all.values()) if (triesFor === window) process.stopTrying();
  }

  /** Makes an empty database, in a process that ends with it. */
  make(key: CipherKey): Promise<MadeDatabase> {
    return this.#once('engine of a new encrypted file', key, (process) => process.make());
  }

  /**
   * Sets, changes, or removes the key of a file that its windows have closed, in a process that ends with it. Afterwards no key of the file
   * is known; if the change fails, the file opens as before.
   */
  async changeKey({ database, locationId, path }: NativeFile, to: CipherKey | null): Promise<ChangedKey> {
    const running = this.#all.get(database);
    const change = async (): Promise<ChangedKey> => {
      const from = running?.key ?? null;
      const any = from ?? to;
      if (any === null || (from === null && isEncryptedFile(database))) return { why: NOT_OPEN };
      await running?.process.stop();
      const order = { path, from, to, histories: [inPlaceId(locationId), encryptedId(locationId)] };
      const changed = await this.#once('process that changes a key', any, (process) => process.changeKey(order));
      if ('why' in changed) return changed;
      if (running) running.key = null;
      this.remembered.forget(locationId);
      return changed;
    };
    const changing = (running?.last ?? Promise.resolve()).then(change);
    if (running) running.last = changing.catch(() => undefined);
    return changing;
  }

  /** Ends the processes of files that no window has open any more, and forgets their keys. */
  endUnused(): void {
    for (const [database, running] of this.#all) {
      const end = async (): Promise<void> => {
        if (running.key === null || running.isOpen || this.#context.inPlace.isOpened(database)) return;
        running.key = null;
        await running.process.stop();
      };
      running.last = running.last.then(end).catch(() => undefined);
    }
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    for (const { process } of this.#all.values()) process.forget(window);
  }

  async settle(): Promise<void> {
    await Promise.all([...this.#processes].map((process) => process.settle()));
  }

  destroy(): void {
    for (const process of this.#processes) process.destroy();
  }

  async #open(running: Running, window: AppWindow, file: NativeFile, typed: GivenKey | null): Promise<Opened> {
    const { process } = running;
    const { fileName } = file;
    // Given up there, extensions would not be loaded again, and the file is closed.
    if (running.key !== null && file.extensions && !this.#context.inPlace.isOpened(file.database)) await process.stop();
    const isKept = running.key !== null || (await this.#unlock(running, window, file, typed));
    if (typeof isKept === 'object') return isKept;
    const why = process.serve(window);
    if (why !== null) return { why: `“${fileName}” cannot be opened. ${why}`, missing: false };
    if (!(await process.tellOf(window, file))) return { why: opensForChanges(fileName), missing: false };
    return isKept ? null : { isNotRemembered: true };
  }

  /** Starts the process with a key that fits. Returns false if the key was to be remembered, and could not be. */
  async #unlock(
    running: Running,
    window: AppWindow,
    { fileName, displayPath, locationId, path }: NativeFile,
    typed: GivenKey | null,
  ): Promise<boolean | { readonly locked: LockedFile }> {
    const keyed = { locationId, salt: headOf(path, SALT_BYTES).toString('hex') };
    const key = typed?.key ?? this.remembered.find(keyed);
    const locked = (why: string | null) => ({
      locked: { fileName, displayPath, why, canRemember: this.remembered.isAvailable },
    });
    if (key === null) return locked(null);
    running.key = key;
    running.triesFor = window;
    const why = await running.process.tryKey(path).finally(() => (running.triesFor = null));
    if (why !== null) {
      running.key = null;
      await running.process.stop();
      return locked(typed === null ? `The remembered key was tried. ${why}` : why);
    }
    if (typed?.remember === true) return this.remembered.keep(keyed, key);
    if (typed !== null) this.remembered.forget(locationId);
    return true;
  }

  get #processes(): readonly FileProcess[] {
    return [...[...this.#all.values()].map(({ process }) => process), ...this.#passing];
  }

  /** In a process that ends with the work. */
  async #once<T>(name: string, key: CipherKey, work: (process: FileProcess) => Promise<T>): Promise<T> {
    const process = new FileProcess({
      ...this.#context,
      name,
      opens: () => false,
      own: () => ({ key, slot: this.#nextSlot() }),
      gaveUp: GAVE_UP,
      portsMessage: () => ({}),
    });
    this.#passing.add(process);
    try {
      return await work(process);
    } finally {
      this.#passing.delete(process);
      await process.stop();
    }
  }

  #add(database: DatabaseId): Running {
    const slot = this.#nextSlot();
    const process = new FileProcess({
      ...this.#context,
      name: 'engine of an encrypted file',
      opens: (file) => file.database === database,
      own: () => ({ key: running.key!, slot }),
      opened: (isOpen) => {
        running.isOpen = isOpen;
        if (!isOpen) this.endUnused();
      },
      gaveUp: GAVE_UP,
      portsMessage: (generation) => ({ tag: PROCESS_PORTS_TAG, generation, database, slot }),
    });
    const running: Running = { process, key: null, isOpen: false, triesFor: null, last: Promise.resolve() };
    this.#all.set(database, running);
    return running;
  }
}
