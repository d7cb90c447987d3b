// The menus and the dialogs that GTK draws on Linux: dark where the user has chosen the dark theme.
import { join } from 'node:path';
import { Settings } from './settings.ts';

/**
 * Call before Electron is ready: GTK reads the variable once, when it starts. With the theme of the system, GTK follows the desktop by
 * itself. Returns a function that removes the variable, for when GTK has started: no program that Sidelite starts should inherit it.
 */
export function chooseGtkTheme(userData: string, env: NodeJS.ProcessEnv = process.env): () => void {
  const isChosen = process.platform === 'linux' && env['GTK_THEME'] === undefined;
  if (!isChosen || new Settings(join(userData, 'settings.json')).get('theme') !== 'dark') return () => undefined;
  env['GTK_THEME'] = 'Adwaita:dark';
  return () => delete env['GTK_THEME'];
}
