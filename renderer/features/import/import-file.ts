// The source of an import tab: a file, found again after a restart, or text from the clipboard. Ends with the tab.
import { toAppError } from '#shared/protocol/index.ts';
import type { ImportSource } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { updateTab } from '../../state/store.ts';
import { forgetPastedText, pastedText } from '../../workbench/tabs/import.ts';
import type { ImportTab } from '../../workbench/tabs/import.ts';

export class ImportFile {
  readonly #tabId: string;
  #source: ImportSource | null;
  /** ID under which the library knows the location of the file: a token ends with the app. */
  #locationId: string | null;
  #disposed = false;

  constructor(tab: ImportTab) {
    this.#tabId = tab.id;
    this.#locationId = tab.locationId;
    const text = pastedText(tab.id);
    if (tab.token !== null) this.#source = { kind: 'file', token: tab.token };
    else this.#source = text === null ? null : { kind: 'text', text, name: tab.fileName };
  }

  /** Null if there is nothing to read: pasted text ends with the app. */
  get source(): ImportSource | null {
    return this.#source;
  }

  /** Another file for this tab. */
  replace(token: string): void {
    this.letGo();
    this.#forget();
    this.#source = { kind: 'file', token };
  }

  /** After a restart of the app or the engine, the token is invalid, but the library may know where the file is. */
  async findAgain(): Promise<void> {
    const locationId = this.#locationId;
    if (locationId === null || this.#source?.kind !== 'file' || (await isOpen(this.#source))) return;
    try {
      const { token } = await client.call('import.reopenFile', { locationId });
      this.#source = { kind: 'file', token };
      updateTab<ImportTab>(this.#tabId, { token });
    } catch {
      // It says so when it is read.
    }
  }

  /** Remembers the file, so that it is found again. Call it once the file has been read. */
  async remember(): Promise<void> {
    if (this.#locationId !== null || this.#source?.kind !== 'file') return;
    const kept = await client.call('import.keepFile', { token: this.#source.token }).catch(() => null);
    if (!kept?.locationId || this.#disposed) return;
    this.#locationId = kept.locationId;
    updateTab<ImportTab>(this.#tabId, { locationId: kept.locationId });
  }

  /** Closes it in the engine. */
  letGo(): void {
    if (this.#source) void client.call('import.end', { source: this.#source }).catch(() => undefined); // it ends with the connection
  }

  /** An import that still reads it has to call {@link letGo} when it ends. */
  dispose(isStillRead: boolean): void {
    this.#disposed = true;
    forgetPastedText(this.#tabId);
    this.#forget();
    if (!isStillRead) this.letGo();
  }

  #forget(): void {
    if (this.#locationId === null) return;
    void client.call('import.forgetFile', { locationId: this.#locationId }).catch(() => undefined); // it is not asked for again
    this.#locationId = null;
    updateTab<ImportTab>(this.#tabId, { locationId: null });
  }
}

function isOpen(source: ImportSource): Promise<boolean> {
  return client.call('import.detect', { source, options: {} }).then(
    () => true,
    (thrown: unknown) => toAppError(thrown).code !== 'not-found',
  );
}
