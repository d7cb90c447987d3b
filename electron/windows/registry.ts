// The windows the user sees. The hidden host window is not among them, so their number says whether the app is in use.
import { BrowserWindow } from 'electron';
import type { WebContents } from 'electron';
import { LETTER } from '../ipc/channels.ts';
import type { Letters as Told } from '../ipc/channels.ts';
import { logDropped } from '../dropped.ts';
import { Letters } from './letters.ts';

export interface AppWindow {
  /** The same across restarts. */
  readonly windowId: string;
  /** 1 for “Window 1”: unique among the open windows, and kept. */
  readonly number: number;
  readonly browserWindow: BrowserWindow;
  enabledCommands: ReadonlySet<string> | null;
  /** Consecutive crashes before the current page: the work it was doing is not restarted automatically. */
  crashes: number;
}

const windows = new Map<number, AppWindow>();
/** Ids of the contents of windows that are closed. Electron gives no id twice. */
const closed = new Set<number>();
const letters = new WeakMap<AppWindow, Letters>();
let lastFocused: AppWindow | null = null;

export function register(window: AppWindow): void {
  const { id } = window.browserWindow.webContents;
  windows.set(id, window);
  lastFocused ??= window;
  const own = new Letters(
    // After a crash, the new page starts by requesting unfinished letters. A window that is destroyed is about to say so.
    (letter) => isListening(window) && window.browserWindow.webContents.send(LETTER, letter),
    (channel) => logDropped(`${channel} for ${windowTitle(window)}`, 'the window is closed'),
  );
  letters.set(window, own);
  window.browserWindow.on('focus', () => (lastFocused = window));
  window.browserWindow.on('closed', () => {
    windows.delete(id);
    closed.add(id);
    own.end();
    if (lastFocused === window) lastFocused = appWindows()[0] ?? null;
  });
}

/** Electron throws for a window, or its contents, that is destroyed, which is before `closed`. */
const isListening = ({ browserWindow }: AppWindow): boolean =>
  !browserWindow.isDestroyed() && !browserWindow.webContents.isDestroyed() && !browserWindow.webContents.isCrashed();

export function appWindows(): AppWindow[] {
  return [...windows.values()];
}

export function appWindowOf(contents: WebContents): AppWindow | null {
  return windows.get(contents.id) ?? null;
}

export const wasAppWindow = ({ id }: WebContents): boolean => closed.has(id);

/** The front window, or the last one that was. */
export function currentWindow(): AppWindow | null {
  const focused = BrowserWindow.getFocusedWindow();
  return (focused && appWindowOf(focused.webContents)) ?? lastFocused;
}

export function windowTitle(window: AppWindow): string {
  return `Window ${window.number}`;
}

/**
 * Sends a message to the page of a window, and to the next page if that one is reloaded before it has handled the message.
 * @param about replaces a waiting message with the same `about`
 * @returns false if the window is gone before
 */
export async function tell<K extends keyof Told>(
  window: AppWindow,
  channel: K,
  make: () => Told[K],
  about?: string,
): Promise<boolean> {
  return (await letters.get(window)!.tell(channel, make, about)) !== null;
}

/** Sends a question in the same way. Resolves with whatever the page answers; with null if the window is gone before. */
export async function question(window: AppWindow, channel: 'window.askedToClose'): Promise<unknown> {
  return (await letters.get(window)!.tell(channel, () => null))?.reply ?? null;
}

export function sendLettersAgain(window: AppWindow): void {
  letters.get(window)!.sendAgain();
}

export function letterDone(window: AppWindow, id: number, reply: unknown): void {
  letters.get(window)!.done(id, reply);
}

export function bringToFront({ browserWindow }: AppWindow): void {
  if (browserWindow.isMinimized()) browserWindow.restore();
  browserWindow.show();
  browserWindow.focus();
}
