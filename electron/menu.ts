// The native menu, built from the commands in `shared`: choosing an entry sends its command id to the front window.
import { app, Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { COMMANDS } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';
import type { Command, MenuName } from '#shared/commands/command.ts';
import type { ChosenKeys } from '#shared/settings/definitions.ts';
import { keysOf } from '#shared/settings/key-bindings.ts';
import { visibleText } from '#shared/visible-text.ts';
import { logDropped } from './dropped.ts';
import type { RecentFiles } from './files/recent-files.ts';
import type { Settings } from './settings.ts';
import { tell } from './windows/registry.ts';
import type { AppWindow, AppWindows } from './windows/registry.ts';

const IS_MAC = process.platform === 'darwin';
const MENUS: readonly MenuName[] = ['File', 'Edit', 'View', 'Database', 'Query', 'Help'];
/** Id of the submenu with the recent files. */
const RECENT = 'file.recent';
export const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

/** Entries that the system implements, at the end of a menu. */
const ROLES: Partial<Record<MenuName, readonly MenuItemConstructorOptions[]>> = {
  File: IS_MAC ? [] : [SEPARATOR, { role: 'quit' }],
  View: [
    SEPARATOR,
    ...(['resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'] as const).map((role) => ({ role })),
    ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
  ],
};

/**
 * Entries for text that follow a command. Copy, Paste, and Select All send an event to whatever has the focus, and cells listen to it, so
 * one entry is enough; Undo is a command, because it must know whether text is meant.
 */
const TEXT_ROLES: Partial<Record<CommandId, readonly MenuItemConstructorOptions[]>> = {
  'history.redo': [SEPARATOR, { role: 'cut' }, { role: 'copy' }],
  'grid.copyTransposed': [{ role: 'paste' }],
  'grid.pasteSpecial': [{ role: 'selectAll' }],
};

interface MenuParts {
  readonly windows: AppWindows;
  readonly settings: Settings;
  readonly recent: RecentFiles;
  /** Handles “New Window” when there is no window to send the command to. */
  readonly openWindow: () => void;
  readonly openFile: (path: string) => void;
}

/** Shows the menu, with the keys and the recent files of the moment. */
export function keepMenu(parts: MenuParts): void {
  const { settings, recent } = parts;
  installMenu(parts);
  recent.onChange(() => installMenu(parts));
  settings.onChange(() => {
    if (!settings.get('recentFiles')) recent.clear();
    installMenu(parts);
  });
}

/** Replaces the menu: an entry cannot change its key or its submenu. */
function installMenu({ windows, settings, recent, openWindow, openFile }: MenuParts): void {
  const keys = settings.get('keys');
  const choose = (id: string, closed: AppWindow | null = null): void => {
    const window = windows.current;
    if (window && window !== closed) {
      // A command for a window that is just closing is not passed to another one, except for New Window.
      void tell(window, 'menu.chosen', () => id).then(
        (isDone) => !isDone && id === 'file.newWindow' && choose(id, window),
      );
    } else if (id === 'file.newWindow') openWindow();
    else logDropped(`the command ${id}`, 'there is no window');
  };
  const template = MENUS.map((name): MenuItemConstructorOptions => {
    const items = COMMANDS.filter((command: Command) => command.menu === name).flatMap((command: Command, index) => [
      ...(command.group && index > 0 ? [SEPARATOR] : []),
      commandItem(command, keys, choose),
      ...(command.id === 'file.open' ? [recentMenu(recent, openFile)] : []),
      ...(TEXT_ROLES[command.id as CommandId] ?? []),
    ]);
    return { label: `&${name}`, submenu: [...items, ...(ROLES[name] ?? [])] };
  });
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(IS_MAC ? [{ role: 'appMenu' }, ...template, { role: 'windowMenu' }] : template),
  );
  showEnabledCommands(windows.current);
}

function recentMenu(recent: RecentFiles, openFile: (path: string) => void): MenuItemConstructorOptions {
  const files = recent.paths.map((path) => ({
    label: visibleText(path).replaceAll('&', '&&'),
    click: () => openFile(path),
  }));
  const end = [SEPARATOR, { label: 'Clear Recent Files', click: () => recent.clear() }];
  const submenu = files.length > 0 ? [...files, ...end] : [];
  return { id: RECENT, label: 'Open Recent', enabled: files.length > 0, submenu };
}

/**
 * The page's key map handles all keys, as it must in a browser; the menu only shows them. On macOS the menu takes keys before the page, so
 * there it must not claim those with another meaning in the grid or the editor.
 */
export function commandItem(
  command: Command,
  keys: ChosenKeys,
  choose: (id: string) => void,
): MenuItemConstructorOptions {
  const [key] = keysOf(command, keys, IS_MAC);
  const shown = key !== undefined && !(IS_MAC && command.scope !== 'window');
  return {
    id: command.id,
    label: command.title.replaceAll('&', '&&'),
    click: () => choose(command.id),
    ...(shown && { accelerator: key, registerAccelerator: IS_MAC }),
  };
}

/** Shows which commands the front window has enabled: under a modal dialog it has none that open a file. */
export function showEnabledCommands(window: AppWindow | null): void {
  const menu = Menu.getApplicationMenu();
  for (const { id } of COMMANDS) {
    const item = menu?.getMenuItemById(id);
    if (item) item.enabled = window?.enabledCommands?.has(id) ?? true;
  }
  const recent = menu?.getMenuItemById(RECENT);
  if (recent) recent.enabled = recent.submenu!.items.length > 0 && (window?.enabledCommands?.has('file.open') ?? true);
}
