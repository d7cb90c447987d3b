// Light or dark: the person's choice, or the system's, as an attribute the tokens look at.
import { shell } from '../client/shell.ts';
import { useStore } from '../client/store.ts';

/** Applies the theme now and whenever the choice or the system's theme changes. */
export function followTheme(): void {
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = (): void => {
    const { theme } = useStore.getState();
    const isDark = theme === 'dark' || (theme === 'system' && systemIsDark.matches);
    document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  };
  systemIsDark.addEventListener('change', apply);
  useStore.subscribe(({ theme }, before) => {
    if (theme === before.theme) return;
    shell.setTheme(theme);
    apply();
  });
  apply();
}
