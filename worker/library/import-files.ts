// Files that windows are importing, by the ids main knows them by: kept past the end of the app.
import * as v from 'valibot';
import { each, renamedField } from '#shared/stored.ts';

const KEY = 'import-files';
/** Tabs that were never closed must not accumulate forever. */
const MAX_FILES = 200;
const FILE = renamedField('sourceId', 'locationId', v.object({ windowId: v.string(), locationId: v.string() }));

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

  get locationIds(): readonly string[] {
    return this.#files.map(({ locationId }) => locationId);
  }

  has(windowId: string, locationId: string): boolean {
    return this.#files.some((file) => file.windowId === windowId && file.locationId === locationId);
  }

  keep(windowId: string, locationId: string): void {
    this.#put([...this.#without(windowId, locationId), { windowId, locationId }].slice(-MAX_FILES));
  }

  forget(windowId: string, locationId: string): void {
    this.#put(this.#without(windowId, locationId));
  }

  get #files(): readonly KeptFile[] {
    try {
      return v.parse(each(FILE), JSON.parse(this.#store.getState(KEY) ?? '[]'));
    } catch {
      return []; // from another version, or damaged: the files are chosen again
    }
  }

  #without(windowId: string, locationId: string): readonly KeptFile[] {
    return this.#files.filter((file) => file.windowId !== windowId || file.locationId !== locationId);
  }

  #put(files: readonly KeptFile[]): void {
    this.#store.putState(KEY, files.length === 0 ? null : JSON.stringify(files));
  }
}
