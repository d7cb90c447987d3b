// One window the user works in: opened where it last was, recovered when its page crashes, closed after its page has saved.
import { randomUUID } from 'node:crypto';
import { BrowserWindow, nativeTheme, screen } from 'electron';
import type { Session, BrowserWindowConstructorOptions, TitleBarOverlayOptions } from 'electron';
import { BENCH_WINDOW_HASH } from '#shared/bench/shell.ts';
import { TITLE_BAR } from '#shared/title-bar.ts';
import { APP_PAGE } from '../app-scheme/resolve-path.ts';
import { log, logConsoleOf } from '../crash.ts';
import { ReportedDrops } from '../security/reported-drops.ts';
import { askAfterCrashes } from './crash-question.ts';
import { askWhenHung } from './hung-question.ts';
import { answerOf } from './page-timeout.ts';
import { pagePreferences } from './page-preferences.ts';
import { tell, tellSize } from './registry.ts';
import type { AppWindow, AppWindows } from './registry.ts';
import { createRestartBudget } from './restart-budget.ts';
import { DEFAULT_SIZE, fitInto, lowestFreeNumber, MINIMUM_SIZE } from './window-placements.ts';
import type { WindowPlacement } from './window-placements.ts';
import type { WindowState } from './window-state.ts';

/**
 * Time limit for a page that hangs, or an engine that does not accept the data. Saving is one small write and takes milliseconds; ending a
 * benchmark and keeping its samples takes seconds, and so does any work on a busy machine.
 */
const SAVING_TIMEOUT_MS = 15_000;
/** A page that crashes again sooner than this has probably crashed for the same reason. */
const IN_A_ROW_MS = 60_000;
/** A new window is offset from the one it was opened from. */
const CASCADE_PX = 24;
/** Background colors of renderer/ui: shown until the page paints. */
const BACKGROUND = { light: '#fbfbfa', dark: '#17191b' };

/** What all windows of one app share. */
interface WindowShell {
  readonly windows: AppWindows;
  readonly pages: Session;
  readonly state: WindowState;
  readonly closing: Closing;
}

export interface Closing {
  /** Called instead of closing the last window. */
  onLast(): boolean;
  /** Whether the window's work may be interrupted; may ask the user. */
  mayClose(window: AppWindow): Promise<boolean>;
  closed(window: AppWindow): void;
}

interface PageStart {
  readonly hash: string;
  readonly crashes: number;
}

export function openAppWindow(
  { windows, pages, state, closing }: WindowShell,
  placement: WindowPlacement | null,
  { hash, crashes }: PageStart,
): AppWindow {
  const browserWindow = new BrowserWindow({
    ...startBounds(placement),
    minWidth: MINIMUM_SIZE.width,
    minHeight: MINIMUM_SIZE.height,
    show: false,
    title: 'Sidelite',
    ...(hash === BENCH_WINDOW_HASH ? {} : titleBarOptions()),
    backgroundColor: nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light,
    webPreferences: { ...pagePreferences('preload', pages), v8CacheOptions: 'bypassHeatCheck' },
  });
  const window = windows.add({
    windowId: placement?.windowId ?? randomUUID(),
    number: lowestFreeNumberOr(windows, placement?.number),
    browserWindow,
    drops: new ReportedDrops(browserWindow.webContents),
    enabledCommands: null,
    checkedCommands: new Set(),
    crashes,
  });
  if (hash === BENCH_WINDOW_HASH) browserWindow.setMenu(null); // its page draws nothing, so it keeps the frame of the system
  else keepTitleBar(browserWindow);
  if (placement?.maximized) browserWindow.maximize();
  if (placement?.fullScreen) browserWindow.setFullScreen(true);
  browserWindow.once('ready-to-show', () => browserWindow.show());
  browserWindow.on('page-title-updated', (event) => event.preventDefault()); // the page sets the title through setTitle
  for (const change of [
    'move',
    'resize',
    'maximize',
    'unmaximize',
    'enter-full-screen',
    'leave-full-screen',
    'closed',
  ]) {
    browserWindow.on(change as 'move', () => state.changed());
  }
  for (const change of ['maximize', 'unmaximize', 'enter-full-screen', 'leave-full-screen'])
    browserWindow.on(change as 'maximize', () => tellSize(window));
  closeAfterFlush(window, windows, closing);
  recoverFromCrashes(window);
  askWhenHung(window);
  logConsoleOf(browserWindow.webContents, `window ${window.number}`);
  void browserWindow.loadURL(APP_PAGE + hash);
  state.changed();
  return window;
}

function startBounds(placement: WindowPlacement | null): Electron.Rectangle | { width: number; height: number } {
  if (placement?.bounds) return fitInto(placement.bounds, screen.getDisplayMatching(placement.bounds).workArea);
  const front = BrowserWindow.getFocusedWindow();
  if (!front) return DEFAULT_SIZE;
  const neighbor = front.getNormalBounds();
  const aside = { ...neighbor, x: neighbor.x + CASCADE_PX, y: neighbor.y + CASCADE_PX };
  return fitInto(aside, screen.getDisplayMatching(aside).workArea);
}

function lowestFreeNumberOr(windows: AppWindows, wanted: number | undefined): number {
  const taken = windows.all.map(({ number }) => number);
  return wanted !== undefined && !taken.includes(wanted) ? wanted : lowestFreeNumber(taken);
}

function closeAfterFlush(window: AppWindow, windows: AppWindows, ending: Closing): void {
  let closing = false;
  const close = async (): Promise<void> => {
    closing = await ending.mayClose(window);
    if (!closing) return;
    await flush(window);
    window.browserWindow.destroy();
  };
  window.browserWindow.on('close', (event) => {
    event.preventDefault();
    if (closing) return;
    if (windows.all.length === 1 && ending.onLast()) return;
    closing = true;
    void close();
  });
  window.browserWindow.on('closed', () => ending.closed(window));
}

/** Lets the page save its pending state. Resolves when it has saved, is gone, or has taken too long. */
export async function flush(window: AppWindow): Promise<void> {
  const save = (): Promise<boolean> => tell(window, 'window.flush', () => null);
  await answerOf(window, save, { timeoutMs: SAVING_TIMEOUT_MS, late: 'is closed without having saved' });
}

function recoverFromCrashes(window: AppWindow): void {
  const { browserWindow, number } = window;
  const contents = browserWindow.webContents;
  const mayRestart = createRestartBudget();
  let crashedAtMs = -Infinity;
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log(`window ${number} gone: ${reason} (${exitCode})`);
    if (reason === 'clean-exit') return;
    window.crashes = Date.now() - crashedAtMs < IN_A_ROW_MS ? window.crashes + 1 : 1;
    crashedAtMs = Date.now();
    if (mayRestart(crashedAtMs)) return contents.reload();
    void askAfterCrashes(`Window ${number} stopped several times in a row.`, 'Close Window').then((answer) => {
      if (browserWindow.isDestroyed()) return;
      if (answer === 'again') contents.reload();
      else browserWindow.close();
    });
  });
}

// The title bar of a window: on macOS that of the system; elsewhere the page draws it (renderer/features/title-bar), with the menu in it.

/** Windows draws its own buttons, which people know to hold for a choice of layouts; the page leaves room for them. */
const HAS_OVERLAY = process.platform === 'win32';

const overlay = (): TitleBarOverlayOptions => ({
  ...(nativeTheme.shouldUseDarkColors ? TITLE_BAR.dark : TITLE_BAR.light),
  height: TITLE_BAR.height,
});

/** Options of a window whose page draws the title bar. */
function titleBarOptions(): BrowserWindowConstructorOptions {
  if (process.platform === 'darwin') return {};
  return HAS_OVERLAY ? { titleBarStyle: 'hidden', titleBarOverlay: overlay() } : { frame: false };
}

/** The buttons of Windows follow the theme. */
function keepTitleBar(browserWindow: BrowserWindow): void {
  if (!HAS_OVERLAY) return;
  const apply = (): void => browserWindow.setTitleBarOverlay(overlay());
  nativeTheme.on('updated', apply);
  browserWindow.once('closed', () => nativeTheme.off('updated', apply));
}
