// The encrypted files that windows have open: the key of each, which main keeps as long as the file is open in any window, and the process
// that opens it.
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { CipherKey } from '#shared/cipher-key.ts';
import { isLikeEncrypted } from '#shared/foreign-files.ts';
import type { NativeFile } from '#shared/native-link.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { PROCESS_PORTS_TAG } from '#shared/shell-api.ts';
import type { InPlaceReply } from '#shared/shell-api.ts';
import type { AppWindow } from '../windows/registry.ts';
import { FileProcess } from './file-process.ts';
import type { FileProcessContext } from './file-process.ts';

const HEAD_BYTES = 4096;
const GAVE_UP =
  'The process that opens this encrypted file stopped four times within a minute, so it is not restarted automatically. Open the file again to start it.';

export const opensForChanges = (fileName: string): string =>
  `“${fileName}” is already open for changes. Close it in all windows, then open it read-only.`;

/** Told by its first bytes. A file that cannot be read says why when it is opened. */
export function mayBeEncrypted(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const bytes = Buffer.alloc(HEAD_BYTES);
    const file = openSync(path, 'r');
    try {
      return isLikeEncrypted(bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0)));
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}

interface Running {
  readonly process: FileProcess;
  /** Null while no window has the file open: then no process runs either. */
  key: CipherKey | null;
  isOpen: boolean;
  /** Opening and ending come one after the other. */
  last: Promise<unknown>;
}

export class EncryptedFiles {
  readonly #context: FileProcessContext;
  readonly #nextSlot: () => number;
  readonly #all = new Map<DatabaseId, Running>();

  /** @param nextSlot for the numbers of the next process */
  constructor(context: FileProcessContext, nextSlot: () => number) {
    this.#context = context;
    this.#nextSlot = nextSlot;
  }

  /** @param typed not needed while the file is open in any window. Returns why the window cannot open the file; null: it can */
  open(window: AppWindow, file: NativeFile, typed: CipherKey | null): Promise<InPlaceReply | null> {
    const running = this.#all.get(file.database) ?? this.#add(file.database);
    const opening = running.last.then(() => this.#open(running, window, file, typed));
    running.last = opening.catch(() => undefined);
    return opening;
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
    await Promise.all([...this.#all.values()].map(({ process }) => process.settle()));
  }

  destroy(): void {
    for (const { process } of this.#all.values()) process.destroy();
  }

  async #open(
    running: Running,
    window: AppWindow,
    file: NativeFile,
    typed: CipherKey | null,
  ): Promise<InPlaceReply | null> {
    const { process } = running;
    const { fileName } = file;
    if (running.key === null) {
      if (typed === null) return { locked: { fileName, why: null } };
      running.key = typed;
      const why = await process.tryKey(file.path);
      if (why !== null) {
        running.key = null;
        await process.stop();
        return { locked: { fileName, why } };
      }
    }
    const why = process.serve(window);
    if (why !== null) return { why: `“${fileName}” cannot be opened. ${why}`, missing: false };
    return (await process.tellOf(window, file)) ? null : { why: opensForChanges(fileName), missing: false };
  }

  #add(database: DatabaseId): Running {
    const slot = this.#nextSlot();
    const process = new FileProcess({
      ...this.#context,
      name: 'engine of an encrypted file',
      opens: (file) => file.database === database,
      key: () => ({ key: running.key!, slot }),
      opened: (isOpen) => {
        running.isOpen = isOpen;
        if (!isOpen) this.endUnused();
      },
      gaveUp: GAVE_UP,
      portsMessage: (generation) => ({ tag: PROCESS_PORTS_TAG, generation, database, slot }),
    });
    const running: Running = { process, key: null, isOpen: false, last: Promise.resolve() };
    this.#all.set(database, running);
    return running;
  }
}
