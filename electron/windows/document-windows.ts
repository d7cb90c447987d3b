// Windows that show a PDF of a database: without a preload, in a session and processes of their own, closed with the window that asked.
import { BrowserWindow, dialog, screen, app } from 'electron';
import type { Rectangle, Session, WebContents, WebFrameMain } from 'electron';
import type { ShownDocument } from '#shared/documents.ts';
import { log } from '../crash.ts';
import type { Lifetime } from '../lifetime.ts';
import { documentAddress } from './document-scheme.ts';
import { documentSession } from './document-session.ts';
import type { AppWindow } from './registry.ts';
import { fitInto } from './window-placements.ts';

/** Enough for a page with the viewer's list of pages beside it. */
const SIZE = { width: 960, height: 780 };
/** In a smaller window the viewer shows no toolbar. */
const LEAST = { minWidth: 400, minHeight: 320 };
const ASIDE_PX = 48;
/** Background color of the viewer: shown until it paints. */
const BACKGROUND = '#525659';
const NOT_SAVED = 'A document window cannot save files.';
const HOW_TO_SAVE =
  'To save this document, choose “Save PDF…” in the details panel of its value. To save printed pages, choose “Save as PDF…” instead of printing.';

export class DocumentWindows {
  readonly #partition: string;
  readonly #lifetime: Lifetime;
  readonly #documents = new Map<string, Uint8Array>();
  /** Closes the window of a document, by window that asked, and title. */
  readonly #open = new Map<string, () => void>();
  /** Created with the first document. */
  #session: Session | null = null;

  constructor(partition: string, lifetime: Lifetime) {
    this.#partition = partition;
    this.#lifetime = lifetime;
  }

  /** Opens a document, in place of its window if the same document is open. */
  open(owner: AppWindow, { title, bytes }: ShownDocument): void {
    const name = `${owner.windowId} ${title}`;
    this.#open.get(name)?.();
    const address = documentAddress(title);
    const session = (this.#session ??= this.#createSession());
    const window = new BrowserWindow({
      ...boundsBeside(owner),
      ...LEAST,
      title,
      backgroundColor: BACKGROUND,
      webPreferences: {
        session,
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        spellcheck: false,
        // Chromium's PDF viewer counts as a plugin.
        plugins: true,
      },
    });
    this.#documents.set(address, bytes);
    let isEnding = false;
    const forget = (): void => {
      isEnding = true;
      if (this.#open.get(name) === close) this.#open.delete(name);
    };
    const close = (): void => {
      if (isEnding) return;
      forget();
      void hideAndDestroy(window);
    };
    this.#open.set(name, close);
    window.setMenu(null);
    window.on('page-title-updated', (event) => event.preventDefault()); // a document does not set the title
    // While the app ends, nothing waits for a print dialog any more.
    window.on('close', (event) => {
      if (isEnding) return;
      event.preventDefault();
      close();
    });
    owner.browserWindow.once('closed', close);
    window.on('closed', () => {
      owner.browserWindow.off('closed', close);
      this.#documents.delete(address);
      forget();
      void session.clearStorageData();
    });
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      log(`document window gone: ${reason}`);
      window.destroy();
    });
    window.loadURL(address).catch((error: unknown) => log(`a document was not shown: ${String(error)}`));
  }

  #createSession(): Session {
    const session = documentSession(this.#partition, this.#documents);
    watchPrinting(session, this.#lifetime);
    session.on('will-download', () => {
      void dialog.showMessageBox({ type: 'info', message: NOT_SAVED, detail: HOW_TO_SAVE, buttons: ['OK'] });
    });
    return session;
  }
}

/** Keeps the print dialog, and the document that it prints. */
async function hideAndDestroy(window: BrowserWindow): Promise<void> {
  window.hide();
  await whenPrinted(window.webContents);
  if (!window.isDestroyed()) window.destroy();
}

/** Bounds over the window that asked, which stays in sight. */
function boundsBeside({ browserWindow }: AppWindow): Rectangle {
  const { x, y } = browserWindow.getNormalBounds();
  const bounds = { x: x + ASIDE_PX, y: y + ASIDE_PX, ...SIZE };
  return fitInto(bounds, screen.getDisplayMatching(bounds).workArea);
}

// Whether the print dialog of a document is open. Electron 22 crashes when a window is closed while its print dialog is open; Chromium
// tells the frame that has the document when the dialog opens, and when it has ended.

/** How long to wait for a busy frame: the script of its document may never end. */
const ANSWER_TIMEOUT_MS = 2_000;

/** Run in each frame. */
const WATCH = `addEventListener('beforeprint', () => {
  const ended = new Promise((resolve) => addEventListener('afterprint', () => resolve(), { once: true }));
  globalThis.sidelitePrinting = ended;
  void ended.then(() => delete globalThis.sidelitePrinting);
}); 0`;
const IS_PRINTING = `'sidelitePrinting' in globalThis`;
const ENDED = `Promise.resolve(globalThis.sidelitePrinting)`;

/** Call before the first document is opened. */
function watchPrinting(documents: Session, lifetime: Lifetime): void {
  lifetime.on(app, 'web-contents-created', (_event: unknown, contents: WebContents) => {
    if (contents.session !== documents) return;
    contents.on('frame-created', (_frameEvent, { frame }) => {
      frame?.on('dom-ready', () => void frame.executeJavaScript(WATCH).catch(() => undefined));
    });
  });
}

/** Resolves when no print dialog is open for a document in the page. */
async function whenPrinted({ mainFrame }: WebContents): Promise<void> {
  await Promise.all(mainFrame.framesInSubtree.map(whenFramePrinted));
}

async function whenFramePrinted(frame: WebFrameMain): Promise<void> {
  // A frame that is gone has no dialog.
  const ask = (script: string): Promise<unknown> => frame.executeJavaScript(script).catch(() => false);
  if ((await inTime(ask(IS_PRINTING))) === true) await ask(ENDED);
}

function inTime(answer: Promise<unknown>): Promise<unknown> {
  let late: NodeJS.Timeout | undefined;
  const givenUp = new Promise<null>((resolve) => (late = setTimeout(() => resolve(null), ANSWER_TIMEOUT_MS)));
  return Promise.race([answer, givenUp]).finally(() => clearTimeout(late));
}
