// Light or dark: the user's choice, or the system's, as an attribute the tokens look at.
import { shell } from '../connection/shell.ts';
import { notifyFailure } from '../state/databases.ts';
import { setTheme, useStore } from '../state/store.ts';
import { readTheme } from '../state/window-state.ts';

/** In a browser, the library would return the theme only after the first paint; in the app, main has set it in Chromium already. */
const REMEMBERED_KEY = 'theme';

/** Applies the theme now and whenever the choice or the system's theme changes. */
export function followTheme(): void {
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const { theme } = useStore.getState();
    const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  };
  const remembered = readTheme({ theme: localStorage.getItem(REMEMBERED_KEY) });
  if (remembered) setTheme(remembered);
  systemIsDark.addEventListener('change', apply);
  useStore.subscribe(({ theme }, before) => {
    if (theme === before.theme) return;
    void shell.setTheme(theme).catch(notifyFailure);
    localStorage.setItem(REMEMBERED_KEY, theme);
    apply();
  });
  apply();
}
