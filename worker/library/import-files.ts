// Which files windows are importing, by the ids main knows them by: kept past the end of the app.
import * as v from 'valibot';
import { each } from '#shared/stored.ts';

const KEY = 'import-files';
/** Tabs that were never closed must not add up for ever. */
const MAX_FILES = 200;
const FILE = v.object({ windowId: v.string(), sourceId: v.string() });

type KeptFile = Readonly<v.InferOutput<typeof FILE>>;

interface StateStore {
  getState(key: string): string | null;
  putState(key: string, value: string | null): void;
}

export class ImportFiles {
  readonly #store: StateStore;

  constructor(store: StateStore) {
    this.#store = store;
  }

  get sourceIds(): readonly string[] {
    return this.#files.map(({ sourceId }) => sourceId);
  }

  has(windowId: string, sourceId: string): boolean {
    return this.#files.some((file) => file.windowId === windowId && file.sourceId === sourceId);
  }

  keep(windowId: string, sourceId: string): void {
    this.#put([...this.#without(windowId, sourceId), { windowId, sourceId }].slice(-MAX_FILES));
  }

  forget(windowId: string, sourceId: string): void {
    this.#put(this.#without(windowId, sourceId));
  }

  get #files(): readonly KeptFile[] {
    try {
      return v.parse(each(FILE), JSON.parse(this.#store.getState(KEY) ?? '[]'));
    } catch {
      return []; // of another version, or damaged: the files are chosen once more
    }
  }

  #without(windowId: string, sourceId: string): readonly KeptFile[] {
    return this.#files.filter((file) => file.windowId !== windowId || file.sourceId !== sourceId);
  }

  #put(files: readonly KeptFile[]): void {
    this.#store.putState(KEY, files.length === 0 ? null : JSON.stringify(files));
  }
}
