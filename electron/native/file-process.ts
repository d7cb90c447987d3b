// A process that opens files in place, as main sees it: which files it has been told of, and for which windows.
import type { CipherKey } from '#shared/cipher-key.ts';
import type {
  ChangedKey,
  KeyOrder,
  MadeDatabase,
  NativeAsk,
  NativeAsks,
  NativeFile,
  ToNative,
} from '#shared/native-link.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import type { FilesInPlace } from '../files/files-in-place.ts';
import { ENGINE_PORTS } from '../ipc/channels.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';
import type { Extensions, WhyGivenUp } from './extensions.ts';
import { WindowEngine } from './window-engine.ts';

/** What all of them share. */
export interface FileProcessContext {
  readonly windows: AppWindows;
  readonly files: FileTokens;
  readonly inPlace: FilesInPlace;
  readonly extensions: Extensions;
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
  /** What it is told with each start if it opens one file only: the key of an encrypted one, and a slot for its numbers. */
  readonly own?: () => { readonly key: CipherKey | null; readonly slot: number };
  /** Called when its one file is opened or closed. */
  readonly opened?: (isOpen: boolean) => void;
}

const ENDED = 'The process that opens the file ended unexpectedly. The log says why. Try again.';

const MOST_CRASHES = 2;
const NOT_TRIED = 'Stopped before it was known whether the key opens the file.';

export class FileProcess {
  readonly #inPlace: FilesInPlace;
  readonly #extensions: Extensions;
  readonly #engine: WindowEngine;
  /** Who waits for the reply to a request; null: the process has ended. */
  readonly #waiting = new Map<number, (replied: { readonly reply: unknown } | null) => void>();
  #lastRequest = 0;
  /** Since it was started for a file that no window had open. */
  #crashes = 0;
  /** Its file is open there. */
  #isOpen = false;
  /** Locations of the files whose extensions it loads. A window may have let go of one before the end of the process is noticed. */
  readonly #loading = new Set<string>();
  /** The app ends, and the process with it. */
  #isLast = false;

  constructor({ windows, files, inPlace, extensions, historyFolder, opens, own, opened, ...parts }: FileProcessParts) {
    this.#inPlace = inPlace;
    this.#extensions = extensions;
    this.#engine = new WindowEngine({
      windows,
      script: 'native.mjs',
      // No key: anyone can list the arguments of a process.
      args: [historyFolder],
      files,
      name: parts.name,
      ...(own && { first: () => ({ t: 'own' as const, ...own() }) }),
      began: (process) => {
        for (const { windowId } of windows.all)
          for (const file of inPlace.openedIn(windowId).filter(opens))
            process.tell({ t: 'file', file: this.#asTold(file), windowId, request: ++this.#lastRequest });
      },
      answered: (message) => {
        if (message.t === 'replied') this.#settle(message.request, message);
        if (message.t !== 'open') return;
        this.#isOpen = message.isOpen;
        opened?.(message.isOpen);
      },
      ended: (isCrash) => {
        this.#noteEnd(isCrash);
        for (const request of this.#waiting.keys()) this.#settle(request, null);
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
    return this.#engine.start() ?? this.#ask('try', { path }, ENDED);
  }

  /** Ends the process at once while it tries a key, which may take long. The key then counts as one that does not open the file. */
  stopTrying(): void {
    this.#engine.abandon();
    // Nothing else is asked of a process before its key fits.
    for (const request of this.#waiting.keys()) this.#settle(request, { reply: NOT_TRIED });
  }

  /** Starts it if necessary, for no window, to make an empty database with its key. */
  async make(): Promise<MadeDatabase> {
    const why = this.#engine.start();
    return why === null ? this.#ask('make', {}, { why: ENDED }) : { why };
  }

  /** Starts it if necessary, for no window, to change the key of a file that no process has open. */
  async changeKey(order: KeyOrder): Promise<ChangedKey> {
    const why = this.#engine.start();
    return why === null ? this.#ask('changeKey', order, { why: ENDED }) : { why };
  }

  /**
   * Resolves when the window can open the file. The window's requests take another path and may overtake this message. Also resolves when
   * the process ends, because the next one learns of every file before it gets a window. False: the file is to be read-only, and can be
   * changed already; nothing has changed then.
   */
  async tellOf({ windowId }: AppWindow, file: NativeFile): Promise<boolean> {
    const undo = this.#inPlace.open(windowId, file);
    const isAllowed = await this.#ask('file', { file: this.#asTold(file), windowId }, true);
    if (!isAllowed) undo();
    return isAllowed;
  }

  /** The window's page is being reloaded: its ports are gone. */
  forget(window: AppWindow): void {
    this.#engine.forget(window);
  }

  /** Closes all files and ends the process, which starts again when a window needs it. */
  stop(): Promise<void> {
    this.#crashes = 0;
    this.#loading.clear();
    return this.#engine.stop();
  }

  /** Resolves when all files are closed, or the process is gone. It does not start again. */
  settle(): Promise<void> {
    this.#isLast = true;
    return this.#engine.settle();
  }

  destroy(): void {
    this.#isLast = true;
    this.#engine.destroy();
  }

  /** Extensions may be the cause of two crashes, and of a hang while the file is opened, which only the user can end. */
  #noteEnd(isCrash: boolean): void {
    if (this.#isLast) return;
    if (isCrash) this.#crashes++;
    const held = !isCrash && !this.#isOpen;
    this.#isOpen = false;
    const cause: WhyGivenUp | null = this.#crashes >= MOST_CRASHES ? 'crashed' : held ? 'stopped' : null;
    if (cause !== null) for (const locationId of this.#loading) this.#extensions.giveUp(locationId, cause);
  }

  /** A window may have learned of its extensions before they were given up. */
  #asTold(file: NativeFile): NativeFile {
    if (file.extensions === undefined) return file;
    this.#loading.add(file.locationId);
    const without = this.#extensions.whyGivenUp(file.locationId);
    return { ...file, extensions: file.extensions.map((each) => ({ ...each, why: each.why ?? without })) };
  }

  /** @param ifGone in place of a reply, if the process ends first */
  #ask<K extends NativeAsk>(
    t: K,
    params: NativeAsks[K]['params'],
    ifGone: NativeAsks[K]['reply'],
  ): Promise<NativeAsks[K]['reply']> {
    const request = ++this.#lastRequest;
    return new Promise((resolve) => {
      this.#waiting.set(request, (replied) => resolve(replied ? (replied.reply as NativeAsks[K]['reply']) : ifGone));
      if (!this.#engine.tell({ t, request, ...params } as ToNative)) this.#settle(request, null);
    });
  }

  #settle(request: number, replied: { readonly reply: unknown } | null): void {
    this.#waiting.get(request)?.(replied);
    this.#waiting.delete(request);
  }
}
