// Files in place as main sees them: which window may open which file, and the process of the native engine, which opens them.
import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { inPlaceId } from '#shared/protocol/in-place.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { NativeFile } from '#shared/native-link.ts';
import { NATIVE_PORTS_TAG } from '#shared/shell-api.ts';
import type { InPlaceReply } from '#shared/shell-api.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import { forPeople } from '../files/source-file.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import { locationIdFor } from '../files/file-locations.ts';
import { ENGINE_PORTS } from '../ipc/channels.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import { WindowEngine } from './window-engine.ts';

const WITHOUT = 'Databases of the library work without it.';

const opensForChanges = (fileName: string): string =>
  `“${fileName}” is already open for changes. Close it in all windows, then open it read-only.`;

const GAVE_UP =
  'The native engine stopped four times within a minute, so it is not restarted automatically. Files opened in place cannot be read until it is.';

/** A comparison copy, or a database restored from a replica. */
interface TemporaryFile {
  /** Used in place of a location id. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly displayPath: string;
  /** Reason why nothing can write to the file. */
  readonly whyReadOnly?: string;
}

export class NativeEngine {
  readonly #files: FileTokens;
  readonly #inPlace: FilesInPlace;
  readonly #engine: WindowEngine;
  /** Files sent to the engine and not confirmed yet. */
  readonly #unconfirmed = new Map<number, (isAllowed: boolean) => void>();
  #lastRequest = 0;

  constructor(windows: AppWindows, files: FileTokens, inPlace: FilesInPlace, historyFolder: string) {
    this.#files = files;
    this.#inPlace = inPlace;
    this.#engine = new WindowEngine({
      windows,
      script: 'native.mjs',
      // The only argument: the folder for the histories of files in place.
      args: [historyFolder],
      files,
      name: 'native engine',
      began: (process) => {
        for (const { windowId } of windows.all)
          for (const file of inPlace.openedIn(windowId))
            process.tell({ t: 'file', file, windowId, request: ++this.#lastRequest });
      },
      answered: (message) => message.t === 'known' && this.#confirm(message.request, message.isAllowed),
      ended: () => {
        for (const request of this.#unconfirmed.keys()) this.#confirm(request, true);
      },
      gaveUp: GAVE_UP,
      portsMessage: (generation) => ({ channel: ENGINE_PORTS, message: { tag: NATIVE_PORTS_TAG, generation } }),
    });
  }

  get pid(): number | undefined {
    return this.#engine.pid;
  }

  async open(
    window: AppWindow,
    {
      token,
      locationId,
      readOnly,
    }: { readonly token: string; readonly locationId: string; readonly readOnly: boolean },
  ): Promise<InPlaceReply> {
    const { windowId } = window;
    const chosen = token === '' ? this.#inPlace.pathOf(windowId, locationId) : this.#files.sourcePath(windowId, token);
    if (chosen === null) return { why: 'This file is no longer open. Choose it again.', missing: true };
    const stats = statSync(chosen, { throwIfNoEntry: false });
    if (!stats) return { why: `The file is no longer at ${forPeople(chosen)}.`, missing: true };
    // Resolved, because a file chosen through any link is the same file with the same history.
    const path = realpathSync(chosen);
    const why = this.serve(window);
    if (why !== null) return { why: `“${basename(path)}” cannot be opened in place. ${why}`, missing: false };
    const id = locationIdFor(path);
    const file = { database: inPlaceId(id), fileName: basename(path), displayPath: forPeople(path), locationId: id };
    const before = this.#inPlace.accessTo(id);
    // A window that opens it again, such as a reloaded page, gets the same access as the others.
    const access = readOnly || before === 'read' ? { readOnly: true as const } : { asksBeforeWriting: true as const };
    if (!(await this.#tellOf(window, { ...file, path, ...access })))
      return { why: opensForChanges(file.fileName), missing: false };
    // Released only now: a file that cannot be opened in place may be copied.
    if (token !== '') this.#files.takeSourcePath(windowId, token);
    return { file, sizeBytes: stats.size };
  }

  /** Starts the engine if necessary, and gives the window its ports. Returns why this installation cannot, or null. */
  serve(window: AppWindow): string | null {
    const why = this.#engine.serve(window);
    return why === null ? null : `${why} ${WITHOUT}`;
  }

  /** Registers a file that main has made for this window with the engine. Returns its database id. */
  async openTemporary(
    window: AppWindow,
    { id, path, name, displayPath, whyReadOnly }: TemporaryFile,
  ): Promise<DatabaseId> {
    const file = { database: inPlaceId(id), fileName: name, displayPath, locationId: id };
    await this.#tellOf(window, { ...file, path, ...(whyReadOnly !== undefined && { readOnly: true, whyReadOnly }) });
    return file.database;
  }

  /** Lets a window open the files that were opened in `owner`, and gives it its ports. */
  async share(owner: AppWindow, window: AppWindow): Promise<void> {
    if (this.serve(window) !== null) return;
    await Promise.all(this.#inPlace.openedIn(owner.windowId).map((file) => this.#tellOf(window, file)));
  }

  forgetTemporary({ windowId }: AppWindow, id: string): void {
    this.#inPlace.forget(windowId, id);
  }

  /** Null if the file was not opened in place in this window. */
  pathOf({ windowId }: AppWindow, locationId: string): string | null {
    return this.#inPlace.pathOfOpened(windowId, locationId);
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    this.#engine.forget(window);
  }

  /** Resolves when all files are closed, or the process is gone. */
  settle(): Promise<void> {
    return this.#engine.settle();
  }

  destroy(): void {
    this.#engine.destroy();
  }

  /**
   * Resolves when the window can open the file. The window's requests take another path and may overtake this message. Also resolves when
   * the process ends, because the next one learns of every file before it gets a window. False: the file is to be read-only, and can be
   * changed already; nothing has changed then.
   */
  async #tellOf({ windowId }: AppWindow, file: NativeFile): Promise<boolean> {
    const undo = this.#inPlace.open(windowId, file);
    const request = ++this.#lastRequest;
    const isAllowed = await new Promise<boolean>((resolve) => {
      this.#unconfirmed.set(request, resolve);
      if (!this.#engine.tell({ t: 'file', file, windowId, request })) this.#confirm(request, true);
    });
    if (!isAllowed) undo();
    return isAllowed;
  }

  #confirm(request: number, isAllowed: boolean): void {
    this.#unconfirmed.get(request)?.(isAllowed);
    this.#unconfirmed.delete(request);
  }
}
