// The windows a person sees. The hidden host window is not among them, so their number says whether the app is in use.
import { BrowserWindow } from 'electron';
import type { WebContents } from 'electron';
import type { Pushes } from '../ipc/channels.ts';

export interface AppWindow {
  /** Stable across restarts. */
  readonly windowId: string;
  /** 1 for “Window 1”: unique among the open ones, and kept. */
  readonly number: number;
  readonly browserWindow: BrowserWindow;
  enabledCommands: ReadonlySet<string> | null;
}

const windows = new Map<number, AppWindow>();
let lastFocused: AppWindow | null = null;

export function register(window: AppWindow): void {
  const { id } = window.browserWindow.webContents;
  windows.set(id, window);
  lastFocused ??= window;
  window.browserWindow.on('focus', () => (lastFocused = window));
  window.browserWindow.on('closed', () => {
    windows.delete(id);
    if (lastFocused === window) lastFocused = appWindows()[0] ?? null;
  });
}

export function appWindows(): AppWindow[] {
  return [...windows.values()];
}

export function appWindowOf(contents: WebContents): AppWindow | null {
  return windows.get(contents.id) ?? null;
}

/** The one in front, or the last that was. */
export function currentWindow(): AppWindow | null {
  const focused = BrowserWindow.getFocusedWindow();
  return (focused && appWindowOf(focused.webContents)) ?? lastFocused;
}

export function windowTitle(window: AppWindow): string {
  return `Window ${window.number}`;
}

export function push<K extends keyof Pushes>(window: AppWindow, channel: K, value: Pushes[K]): void {
  if (!window.browserWindow.isDestroyed()) window.browserWindow.webContents.send(channel, value);
}

export function bringToFront({ browserWindow }: AppWindow): void {
  if (browserWindow.isMinimized()) browserWindow.restore();
  browserWindow.show();
  browserWindow.focus();
}
