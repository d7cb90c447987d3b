// Light, dark, or as the system: a page's choice applies to all windows, their frames and the next start.
import { nativeTheme } from 'electron';
import { answer } from '../security/trusted-ipc.ts';
import type { Settings } from '../settings.ts';

export function serveTheme(settings: Settings): void {
  nativeTheme.themeSource = settings.get('theme') ?? 'system';
  answer('theme.set', (_window, theme) => {
    if (theme === 'system' || theme === 'light' || theme === 'dark') {
      nativeTheme.themeSource = theme;
      settings.set('theme', theme);
    }
    return null;
  });
}
