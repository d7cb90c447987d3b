// The files with extensions that windows have open. Each has a process of its own: the code of an extension can end it, and no other database
// with it.
import type { NativeFile } from '#shared/native-link.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { PROCESS_PORTS_TAG } from '#shared/shell-api.ts';
import type { InPlaceReply } from '#shared/shell-api.ts';
import type { AppWindow } from '../windows/registry.ts';
import { opensForChanges } from './encrypted-files.ts';
import { FileProcess } from './file-process.ts';
import type { FileProcessContext } from './file-process.ts';

const GAVE_UP =
  'The process that opens this database stopped four times within a minute, so it is not restarted automatically. Open the file again to start it.';

interface Running {
  readonly process: FileProcess;
  isOpen: boolean;
  /** Opening and ending come one after the other. */
  last: Promise<unknown>;
}

export class ExtendedFiles {
  readonly #context: FileProcessContext;
  readonly #nextSlot: () => number;
  readonly #all = new Map<DatabaseId, Running>();

  /** @param nextSlot for the numbers of the next process */
  constructor(context: FileProcessContext, nextSlot: () => number) {
    this.#context = context;
    this.#nextSlot = nextSlot;
  }

  /** Returns why the window cannot open the file; null: it can. */
  open(window: AppWindow, file: NativeFile): Promise<InPlaceReply | null> {
    const running = this.#all.get(file.database) ?? this.#add(file.database);
    const opening = running.last.then(async () => {
      // A process that was just closed is not used again: the code of a file that has changed meanwhile would still be the old one there.
      if (!this.#context.inPlace.isOpened(file.database)) await running.process.stop();
      const why = running.process.serve(window);
      if (why !== null) return { why: `“${file.fileName}” cannot be opened. ${why}`, missing: false };
      if (await running.process.tellOf(window, file)) return null;
      return { why: opensForChanges(file.fileName), missing: false };
    });
    running.last = opening.catch(() => undefined);
    return opening;
  }

  /** Ends the processes of files that no window has open any more. */
  endUnused(): void {
    for (const [database, running] of this.#all) {
      const end = async (): Promise<void> => {
        if (!running.isOpen && !this.#context.inPlace.isOpened(database)) await running.process.stop();
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

  #add(database: DatabaseId): Running {
    const slot = this.#nextSlot();
    const process = new FileProcess({
      ...this.#context,
      name: 'engine of a database with extensions',
      opens: (file) => file.database === database && file.extensions !== undefined,
      own: () => ({ key: null, slot }),
      opened: (isOpen) => {
        running.isOpen = isOpen;
        if (!isOpen) this.endUnused();
      },
      gaveUp: GAVE_UP,
      portsMessage: (generation) => ({ tag: PROCESS_PORTS_TAG, generation, database, slot }),
    });
    const running: Running = { process, isOpen: false, last: Promise.resolve() };
    this.#all.set(database, running);
    return running;
  }
}
