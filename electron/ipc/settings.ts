// The settings, for all windows: a page asks for a change, main keeps it and tells every window. The theme also applies to Chromium itself.
import { dirname, join } from 'node:path';
import { app, dialog, nativeTheme, shell } from 'electron';
import * as v from 'valibot';
import { toAppError } from '#shared/protocol/errors.ts';
import { settingsText } from '#shared/settings/read-settings.ts';
import type { ImportedSettings } from '#shared/shell-api.ts';
import type { FileTokens } from '../files/file-tokens.ts';
import { readSettled } from '../files/settled-file.ts';
import type { LastFolder } from '../last-folder.ts';
import type { Lifetime } from '../lifetime.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import { MAX_SETTINGS_BYTES } from '../settings.ts';
import type { Settings } from '../settings.ts';
import { tell } from '../windows/registry.ts';
import type { AppWindow, AppWindows } from '../windows/registry.ts';

const CHANGE = v.record(v.string(), v.unknown());
const FILTERS = [{ name: 'Settings', extensions: ['json'] }];
const FILE_NAME = 'sidelite-settings.json';

interface SettingsParts {
  readonly windows: AppWindows;
  readonly files: FileTokens;
  readonly lifetime: Lifetime;
  readonly settings: Settings;
  readonly lastFolder: LastFolder;
}

export function serveSettings(
  { answer }: TrustedIpc,
  { windows, files, lifetime, settings, lastFolder }: SettingsParts,
): void {
  const applyTheme = (): void => void (nativeTheme.themeSource = settings.get('theme'));
  applyTheme();
  settings.onChange(() => {
    applyTheme();
    for (const window of windows.all) void tell(window, 'settings.changed', () => settings.state, 'settings');
  });
  lifetime.on(app, 'browser-window-focus', () => settings.readAgain());
  lifetime.add(settings.follow());
  const folder = (): string => lastFolder.get() ?? app.getPath('documents');

  answer('settings.get', () => settings.state);
  answer('settings.change', (_window, change) => {
    settings.change(v.parse(CHANGE, change));
    return settings.state;
  });
  answer('settings.import', (window) => importFrom(window, settings, folder()));
  answer('settings.export', async ({ browserWindow, windowId }) => {
    const { canceled, filePath } = await dialog.showSaveDialog(browserWindow, {
      title: 'Export Settings',
      defaultPath: join(folder(), FILE_NAME),
      filters: FILTERS,
      properties: ['createDirectory', 'showOverwriteConfirmation'],
    });
    if (canceled || !filePath) return null;
    lastFolder.set(dirname(filePath));
    const { token } = files.addSink(windowId, filePath);
    try {
      await files.writeSink(windowId, token, Buffer.from(settingsText(settings.state.chosen)));
      return true;
    } catch (thrown) {
      return { why: toAppError(thrown).message };
    }
  });
  answer('settings.reveal', () => shell.showItemInFolder(settings.path));
}

async function importFrom(
  { browserWindow }: AppWindow,
  settings: Settings,
  folder: string,
): Promise<ImportedSettings | null> {
  const { canceled, filePaths } = await dialog.showOpenDialog(browserWindow, {
    title: 'Import Settings',
    defaultPath: folder,
    properties: ['openFile'],
    filters: FILTERS,
  });
  const [path] = filePaths;
  if (canceled || path === undefined) return null;
  return (
    settings.replace(await readText(path)) ?? { why: 'This is not a Sidelite settings file. Nothing was changed.' }
  );
}

/** Empty if it cannot be read, or is far too long for settings. */
async function readText(path: string): Promise<string> {
  const bytes = await readSettled(path, MAX_SETTINGS_BYTES).catch(() => null);
  return bytes?.toString() ?? '';
}
