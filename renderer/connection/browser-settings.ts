// The settings in a plain browser: kept by the browser, imported from and exported to a file that the user chooses.
import { AppError } from '#shared/protocol/errors.ts';
import { changedSettings, parseSettings, settingsText } from '#shared/settings/read-settings.ts';
import type { SettingsState } from '#shared/settings/read-settings.ts';
import type { ShellApi } from '#shared/shell-api.ts';
import { saveBlob } from './web-files.ts';

/** In the app, where main keeps the settings, the next window starts with these settings until main has answered. */
const REMEMBERED_SETTINGS = 'sidelite:settings';

export function rememberedSettings(): SettingsState {
  return { chosen: parseSettings(localStorage.getItem(REMEMBERED_SETTINGS) ?? '{}') ?? {}, problem: null };
}

/** Returns false when the browser has no room for the settings. */
export function rememberSettings(state: SettingsState): boolean {
  try {
    localStorage.setItem(REMEMBERED_SETTINGS, settingsText(state.chosen));
    return true;
  } catch {
    return false;
  }
}

/** @throws AppError `full` */
function keep(chosen: SettingsState['chosen']): SettingsState {
  if (!rememberSettings({ chosen, problem: null }))
    throw AppError.full('The browser has no room for the settings. Nothing was changed.');
  return rememberedSettings();
}

export const browserSettings: Pick<
  ShellApi,
  'settings' | 'changeSettings' | 'importSettings' | 'exportSettings' | 'revealSettings' | 'onSettingsChanged'
> = {
  settings: async () => rememberedSettings(),
  async changeSettings(change) {
    const chosen = changedSettings(rememberedSettings().chosen, change);
    if (typeof chosen === 'string') throw AppError.invalid(chosen);
    return keep(chosen);
  },
  async importSettings() {
    const text = await chosenText();
    if (text === null) return null;
    const chosen = parseSettings(text);
    if (!chosen) return { why: 'This is not a Sidelite settings file. Nothing was changed.' };
    return keep(chosen);
  },
  async exportSettings() {
    saveBlob(
      new Blob([settingsText(rememberedSettings().chosen)], { type: 'application/json' }),
      'sidelite-settings.json',
    );
    return true;
  },
  revealSettings: async () => undefined,
  onSettingsChanged: (listener) =>
    window.addEventListener('storage', ({ key }) => key === REMEMBERED_SETTINGS && listener(rememberedSettings())),
};

/** Null when canceled. */
function chosenText(): Promise<string | null> {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = '.json';
  return new Promise((resolve) => {
    input.addEventListener('cancel', () => resolve(null));
    input.addEventListener('change', () => {
      const [file] = input.files ?? [];
      if (file) void file.text().then(resolve, () => resolve(''));
      else resolve(null);
    });
    input.click();
  });
}
