// The windows the user sees. The hidden host window is not among them, so their number says whether the app is in use.
import { BrowserWindow } from 'electron';
import type { WebContents } from 'electron';
import type { WindowSize } from '#shared/shell-api.ts';
import { PAGE_MESSAGE } from '../ipc/channels.ts';
import type { PageMessages } from '../ipc/channels.ts';
import type { ReportedDrops } from '../security/reported-drops.ts';
import { logDropped } from '../dropped.ts';
import { Outbox } from './outbox.ts';

export interface AppWindow {
  /** Id of the window, the same across restarts. */
  readonly windowId: string;
  /** 1 for “Window 1”: unique among the open windows, and kept. */
  readonly number: number;
  readonly browserWindow: BrowserWindow;
  readonly outbox: Outbox;
  readonly drops: ReportedDrops;
  enabledCommands: ReadonlySet<string> | null;
  /** Commands that are on. */
  checkedCommands: ReadonlySet<string>;
  /** Consecutive crashes before the current page: the work it was doing is not restarted automatically. */
  crashes: number;
}

export class AppWindows {
  readonly #windows = new Map<number, AppWindow>();
  /** Ids of the contents of windows that are closed. Electron never gives the same id twice. */
  readonly #closed = new Set<number>();
  #lastFocused: AppWindow | null = null;

  get all(): AppWindow[] {
    return [...this.#windows.values()];
  }

  add(fields: Omit<AppWindow, 'outbox'>): AppWindow {
    const { browserWindow } = fields;
    const { id } = browserWindow.webContents;
    const outbox = new Outbox(
      // After a crash, the new page starts by requesting unfinished messages. A window that is destroyed is about to report that.
      (message) => isListening(browserWindow) && browserWindow.webContents.send(PAGE_MESSAGE, message),
      (channel) => logDropped(`${channel} for ${windowTitle(fields)}`, 'the window is closed'),
    );
    const window: AppWindow = { ...fields, outbox };
    this.#windows.set(id, window);
    this.#lastFocused ??= window;
    browserWindow.on('focus', () => (this.#lastFocused = window));
    browserWindow.on('closed', () => {
      this.#windows.delete(id);
      this.#closed.add(id);
      outbox.end();
      if (this.#lastFocused === window) this.#lastFocused = this.all[0] ?? null;
    });
    return window;
  }

  of(contents: WebContents): AppWindow | null {
    return this.#windows.get(contents.id) ?? null;
  }

  /** Whether the contents are of a window that is closed. */
  was({ id }: WebContents): boolean {
    return this.#closed.has(id);
  }

  /** The front window, or the window that was in front last. */
  get current(): AppWindow | null {
    const focused = BrowserWindow.getFocusedWindow();
    return (focused && this.of(focused.webContents)) ?? this.#lastFocused;
  }
}

/** Electron throws for a window, or its contents, that is destroyed, which is before `closed`. */
const isListening = (window: BrowserWindow): boolean =>
  !window.isDestroyed() && !window.webContents.isDestroyed() && !window.webContents.isCrashed();

export function windowTitle({ number }: Pick<AppWindow, 'number'>): string {
  return `Window ${number}`;
}

/**
 * Sends a message to the page of a window, and to the next page if that one is reloaded before it has handled the message.
 * @param about replaces a waiting message with the same `about`
 * @returns false if the window is gone before
 */
export async function tell<K extends keyof PageMessages>(
  window: AppWindow,
  channel: K,
  make: () => PageMessages[K],
  about?: string,
): Promise<boolean> {
  return (await window.outbox.tell(channel, make, about)) !== null;
}

/** Sends a question in the same way. Resolves with whatever the page answers; with null if the window is gone before. */
export async function question(window: AppWindow, channel: 'window.askedToClose'): Promise<unknown> {
  return (await window.outbox.tell(channel, () => null))?.reply ?? null;
}

export function sendMessagesAgain(window: AppWindow): void {
  window.outbox.sendAgain();
}

export function messageDone(window: AppWindow, id: number, reply: unknown): void {
  window.outbox.done(id, reply);
}

/** Tells the page whether the window is maximized or fills the screen. */
export function tellSize(window: AppWindow): void {
  const size = (): WindowSize => {
    if (window.browserWindow.isFullScreen()) return 'full-screen';
    return window.browserWindow.isMaximized() ? 'maximized' : 'normal';
  };
  void tell(window, 'window.size', size, 'size');
}

export function bringToFront({ browserWindow }: AppWindow): void {
  if (browserWindow.isMinimized()) browserWindow.restore();
  browserWindow.show();
  browserWindow.focus();
}
