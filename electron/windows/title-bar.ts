// The title bar of a window: on macOS that of the system; elsewhere the page draws it (renderer/features/title-bar), with the menu in it.
import { nativeTheme } from 'electron';
import type { BrowserWindow, BrowserWindowConstructorOptions, TitleBarOverlayOptions } from 'electron';
import { TITLE_BAR } from '#shared/title-bar.ts';

/** Windows draws its own buttons, which people know to hold for a choice of layouts; the page leaves room for them. */
const HAS_OVERLAY = process.platform === 'win32';

const overlay = (): TitleBarOverlayOptions => ({
  ...(nativeTheme.shouldUseDarkColors ? TITLE_BAR.dark : TITLE_BAR.light),
  height: TITLE_BAR.height,
});

/** Options of a window whose page draws the title bar. */
export function titleBarOptions(): BrowserWindowConstructorOptions {
  if (process.platform === 'darwin') return {};
  return HAS_OVERLAY ? { titleBarStyle: 'hidden', titleBarOverlay: overlay() } : { frame: false };
}

/** The buttons of Windows follow the theme. */
export function keepTitleBar(browserWindow: BrowserWindow): void {
  if (!HAS_OVERLAY) return;
  const apply = (): void => browserWindow.setTitleBarOverlay(overlay());
  nativeTheme.on('updated', apply);
  browserWindow.once('closed', () => nativeTheme.off('updated', apply));
}
