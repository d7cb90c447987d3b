// Windows that show a PDF of a database: without a preload, in a session and processes of their own, closed with the window that asked.
import { BrowserWindow, dialog, screen } from 'electron';
import type { Rectangle, Session } from 'electron';
import type { ShownDocument } from '#shared/documents.ts';
import { log } from '../crash.ts';
import type { Lifetime } from '../lifetime.ts';
import { watchPrinting, whenPrinted } from './document-printing.ts';
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
