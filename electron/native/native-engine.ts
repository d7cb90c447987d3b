// The native engine as main sees it: started with the first file that is opened in place, restarted when it crashes, its windows given new
// ports, ended with the app.
import { realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { MessageChannelMain } from 'electron';
import type { ErrorData } from '#shared/protocol/errors.ts';
import { inPlaceId } from '#shared/protocol/in-place.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import type { FromNative, NativeFile } from '#shared/native-link.ts';
import { refuse, serve } from '#shared/rpc/server.ts';
import { NATIVE_PORTS_TAG } from '#shared/shell-api.ts';
import type { InPlaceReply } from '#shared/shell-api.ts';
import { log } from '../crash.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import { forPeople } from '../files/source-file.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import { sourceIdFor } from '../files/source-locations.ts';
import { NATIVE_PORTS } from '../ipc/channels.ts';
import { mainPort } from '../message-port.ts';
import { appWindows } from '../windows/registry.ts';
import type { AppWindow } from '../windows/registry.ts';
import { createRestartBudget } from '../windows/restart-budget.ts';
import { startNativeProcess } from './native-process.ts';
import type { NativeProcess } from './native-process.ts';

const UNAVAILABLE =
  'Files cannot be opened in place here: this installation has no native engine. Databases of the library work without it.';

const opensForChanges = (fileName: string): string =>
  `“${fileName}” was opened here so that it can be changed. Close the windows it was opened in, then open it read-only.`;

/** SIGTERM, as reported for a child process and for a utility process. */
const ASKED_FOR: readonly string[] = ['SIGTERM', 'exit code 15'];

const GAVE_UP: ErrorData = {
  code: 'unavailable',
  message:
    'The native engine stopped four times within a minute, so it is not restarted automatically. Files opened in place cannot be read until it is.',
};

export class NativeEngine {
  readonly #files: FileTokens;
  readonly #inPlace: FilesInPlace;
  readonly #historyFolder: string;
  /** Windows that have requested ports since they were loaded. */
  readonly #joined = new WeakSet<AppWindow>();
  readonly #mayRestart = createRestartBudget();
  #process: NativeProcess | null = null;
  #generation = 0;
  #settled: (() => void) | null = null;
  /** Files sent to the engine and not confirmed yet. */
  readonly #unconfirmed = new Map<number, () => void>();
  #lastRequest = 0;

  constructor(files: FileTokens, inPlace: FilesInPlace, historyFolder: string) {
    this.#files = files;
    this.#inPlace = inPlace;
    this.#historyFolder = historyFolder;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async open(
    window: AppWindow,
    { token, sourceId, readOnly }: { readonly token: string; readonly sourceId: string; readonly readOnly: boolean },
  ): Promise<InPlaceReply> {
    const { windowId } = window;
    const chosen =
      token === '' ? this.#inPlace.pathOf(windowId, sourceId) : this.#files.takeSourcePath(windowId, token);
    if (chosen === null) return { why: 'This file is no longer open. Choose it again.', missing: true };
    const stats = statSync(chosen, { throwIfNoEntry: false });
    if (!stats) return { why: `The file is no longer at ${forPeople(chosen)}.`, missing: true };
    // Resolved, because a file chosen through any link is the same file with the same history.
    const path = realpathSync(chosen);
    if (!this.serve(window)) return { why: UNAVAILABLE, missing: false };
    const id = sourceIdFor(path);
    const file = { database: inPlaceId(id), fileName: basename(path), displayPath: forPeople(path), sourceId: id };
    const before = this.#inPlace.accessTo(id);
    if (readOnly && before === 'write') return { why: opensForChanges(file.fileName), missing: false };
    // A window that opens it again, such as a reloaded page, gets the same access as the others.
    await this.#tellOf(window, { ...file, path, ...((readOnly || before === 'read') && { readOnly: true }) });
    return { file, sizeBytes: stats.size };
  }

  /** Starts the engine if necessary, and gives the window its ports. Returns false if this installation has no native engine. */
  serve(window: AppWindow): boolean {
    if (!this.#process && !this.#start()) return false;
    if (!this.#joined.has(window)) {
      this.#joined.add(window);
      this.#join(window);
    }
    return true;
  }

  /** Registers a comparison copy with the engine. Returns its database id. */
  async openComparisonCopy(
    window: AppWindow,
    { comparisonCopy, path, name }: { readonly comparisonCopy: string; readonly path: string; readonly name: string },
  ): Promise<DatabaseId> {
    const file = {
      database: inPlaceId(comparisonCopy),
      fileName: name,
      displayPath: 'a temporary copy',
      sourceId: comparisonCopy,
    };
    await this.#tellOf(window, { ...file, path });
    return file.database;
  }

  /** Lets a window open the files that were opened in `owner`, and gives it its ports. */
  async share(owner: AppWindow, window: AppWindow): Promise<void> {
    if (!this.serve(window)) return;
    await Promise.all(this.#inPlace.openedIn(owner.windowId).map((file) => this.#tellOf(window, file)));
  }

  forgetComparisonCopy({ windowId }: AppWindow, comparisonCopy: string): void {
    this.#inPlace.forget(windowId, comparisonCopy);
  }

  /** Null if the file was not opened in place in this window. */
  pathOf({ windowId }: AppWindow, sourceId: string): string | null {
    return this.#inPlace.pathOfOpened(windowId, sourceId);
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    this.#joined.delete(window);
  }

  /** Resolves when all files are closed, or the process is gone. */
  settle(): Promise<void> {
    const running = this.#process;
    if (!running) return Promise.resolve();
    return new Promise<void>((resolve) => {
      this.#settled = resolve;
      running.tell({ t: 'settle' });
    }).then(() => this.destroy());
  }

  destroy(): void {
    this.#settled ??= () => undefined; // from now on the process is expected to exit
    this.#process?.kill();
    this.#process = null;
  }

  /**
   * Resolves when the window can open the file. The window's requests take another path and may overtake this message. Also resolves when
   * the process ends, because the next one learns of every file before it gets a window.
   */
  #tellOf({ windowId }: AppWindow, file: NativeFile): Promise<void> {
    this.#inPlace.open(windowId, file);
    const running = this.#process;
    if (!running) return Promise.resolve();
    const request = ++this.#lastRequest;
    return new Promise((resolve) => {
      this.#unconfirmed.set(request, resolve);
      running.tell({ t: 'file', file, windowId, request });
    });
  }

  #onAnswer(message: FromNative): void {
    if (message.t === 'settled') return this.#settled?.();
    this.#unconfirmed.get(message.request)?.();
    this.#unconfirmed.delete(message.request);
  }

  #start(): boolean {
    // The only argument: the folder for the histories of files in place.
    const process = startNativeProcess('native.mjs', [this.#historyFolder], {
      answered: (message) => this.#onAnswer(message),
      exited: (how) => this.#onExit(how),
    });
    this.#process = process;
    if (!process) return false;
    this.#generation++;
    const { port1, port2 } = new MessageChannelMain();
    serve(mainPort(port1), this.#files.handlers, { info: null, session: null });
    process.tell({ t: 'init' }, [port2]);
    for (const { windowId } of appWindows())
      for (const file of this.#inPlace.openedIn(windowId))
        process.tell({ t: 'file', file, windowId, request: ++this.#lastRequest });
    for (const window of appWindows()) if (this.#joined.has(window)) this.#join(window);
    return true;
  }

  #onExit(how: string): void {
    for (const resolve of this.#unconfirmed.values()) resolve();
    this.#unconfirmed.clear();
    if (this.#settled) return this.#settled();
    log(`native engine gone: ${how}`);
    this.#process = null;
    // Restarts requested by the user are not limited.
    if ((ASKED_FOR.includes(how) || this.#mayRestart(Date.now())) && this.#start()) return;
    this.#generation++;
    for (const window of appWindows()) if (this.#joined.has(window)) this.#join(window); // to report the failure
  }

  #join(window: AppWindow): void {
    const data = new MessageChannelMain();
    const control = new MessageChannelMain();
    if (this.#process) this.#process.tell({ t: 'window', windowId: window.windowId }, [data.port2, control.port2]);
    else refuse(mainPort(data.port2), GAVE_UP);
    window.browserWindow.webContents.postMessage(
      NATIVE_PORTS,
      { tag: NATIVE_PORTS_TAG, generation: this.#generation },
      [data.port1, control.port1],
    );
  }
}
