// A process that opens files in place, as main sees it: which files it has been told of, and for which windows.
import type { CipherKey } from '#shared/cipher-key.ts';
import type { ChangedKey, FromNative, FromRemote, KeyOrder, MadeDatabase, NativeFile } from '#shared/native-link.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import { ENGINE_PORTS } from '../ipc/channels.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import { WindowEngine } from './window-engine.ts';

/** What all of them share. */
export interface FileProcessContext {
  readonly windows: AppWindows;
  readonly files: FileTokens;
  readonly inPlace: FilesInPlace;
  /** For the histories of files in place. */
  readonly historyFolder: string;
}

interface FileProcessParts extends FileProcessContext {
  /** Name for the log. */
  readonly name: string;
  /** Whether this process opens the file, and not another one. */
  readonly opens: (file: NativeFile) => boolean;
  /** Tells windows that it is not restarted automatically. */
  readonly gaveUp: string;
  /** Message that goes to a window with its two ports. */
  readonly portsMessage: (generation: number) => object;
  /** The key of the one file it opens, for each start. */
  readonly key?: () => { readonly key: CipherKey; readonly slot: number };
  /** Called when its one file is opened or closed, if it has a key. */
  readonly opened?: (isOpen: boolean) => void;
}

const ENDED = 'The process that opens the file ended unexpectedly. The log says why. Try again.';

const NOT_TRIED = 'Stopped before it was known whether the key opens the file.';

export class FileProcess {
  readonly #inPlace: FilesInPlace;
  readonly #engine: WindowEngine;
  /** Files sent to the engine and not confirmed yet. */
  readonly #unconfirmed = new Map<number, (isAllowed: boolean) => void>();
  #lastRequest = 0;
  #tried: (why: string | null) => void = () => undefined;
  #made: (made: MadeDatabase) => void = () => undefined;
  #changed: (changed: ChangedKey) => void = () => undefined;

  constructor({ windows, files, inPlace, historyFolder, opens, key, opened, ...parts }: FileProcessParts) {
    this.#inPlace = inPlace;
    this.#engine = new WindowEngine({
      windows,
      script: 'native.mjs',
      // No key: anyone can list the arguments of a process.
      args: [historyFolder],
      files,
      name: parts.name,
      ...(key && { first: () => ({ t: 'key' as const, ...key() }) }),
      began: (process) => {
        for (const { windowId } of windows.all)
          for (const file of inPlace.openedIn(windowId).filter(opens))
            process.tell({ t: 'file', file, windowId, request: ++this.#lastRequest });
      },
      answered: (message) => this.#answered(message, opened),
      ended: () => {
        for (const request of this.#unconfirmed.keys()) this.#confirm(request, true);
        this.#tried(ENDED);
        this.#made({ why: ENDED });
        this.#changed({ why: ENDED });
        opened?.(false);
      },
      gaveUp: parts.gaveUp,
      portsMessage: (generation) => ({ channel: ENGINE_PORTS, message: parts.portsMessage(generation) }),
    });
  }

  get pid(): number | undefined {
    return this.#engine.pid;
  }

  /** Starts it if necessary, and gives the window its ports. Returns why this installation cannot, or null. */
  serve(window: AppWindow): string | null {
    return this.#engine.serve(window);
  }

  /** Starts it if necessary, for no window yet, to learn why its key does not open the file; null: it does. */
  async tryKey(path: string): Promise<string | null> {
    const why = this.#engine.start();
    if (why !== null) return why;
    return new Promise((resolve) => {
      this.#tried = resolve;
      this.#engine.tell({ t: 'try', path });
    });
  }

  /** Ends the process at once while it tries a key, which may take long. The key then counts as one that does not open the file. */
  stopTrying(): void {
    this.#engine.abandon();
    this.#tried(NOT_TRIED);
  }

  /** Starts it if necessary, for no window, to make an empty database with its key. */
  async make(): Promise<MadeDatabase> {
    const why = this.#engine.start();
    if (why !== null) return { why };
    return new Promise((resolve) => {
      this.#made = resolve;
      this.#engine.tell({ t: 'make' });
    });
  }

  /** Starts it if necessary, for no window, to change the key of a file that no process has open. */
  async changeKey(order: KeyOrder): Promise<ChangedKey> {
    const why = this.#engine.start();
    if (why !== null) return { why };
    return new Promise((resolve) => {
      this.#changed = resolve;
      this.#engine.tell({ t: 'changeKey', ...order });
    });
  }

  /**
   * Resolves when the window can open the file. The window's requests take another path and may overtake this message. Also resolves when
   * the process ends, because the next one learns of every file before it gets a window. False: the file is to be read-only, and can be
   * changed already; nothing has changed then.
   */
  async tellOf({ windowId }: AppWindow, file: NativeFile): Promise<boolean> {
    const undo = this.#inPlace.open(windowId, file);
    const request = ++this.#lastRequest;
    const isAllowed = await new Promise<boolean>((resolve) => {
      this.#unconfirmed.set(request, resolve);
      if (!this.#engine.tell({ t: 'file', file, windowId, request })) this.#confirm(request, true);
    });
    if (!isAllowed) undo();
    return isAllowed;
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    this.#engine.forget(window);
  }

  /** Closes all files and ends the process, which starts again when a window needs it. */
  stop(): Promise<void> {
    return this.#engine.stop();
  }

  /** Resolves when all files are closed, or the process is gone. It does not start again. */
  settle(): Promise<void> {
    return this.#engine.settle();
  }

  destroy(): void {
    this.#engine.destroy();
  }

  #answered(message: FromNative | FromRemote, opened?: (isOpen: boolean) => void): void {
    if (message.t === 'known') this.#confirm(message.request, message.isAllowed);
    if (message.t === 'tried') this.#tried(message.why);
    if (message.t === 'made') this.#made(message);
    if (message.t === 'changed') this.#changed(message);
    if (message.t === 'open') opened?.(message.isOpen);
  }

  #confirm(request: number, isAllowed: boolean): void {
    this.#unconfirmed.get(request)?.(isAllowed);
    this.#unconfirmed.delete(request);
  }
}
