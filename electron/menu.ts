// The menu of the system, built from the description in `shared`: choosing an entry sends its command id to the front window. Elsewhere than
// on macOS it is not seen: it holds the keys of the entries that Electron implements, and the page shows the same entries.
import { app, Menu } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { COMMANDS } from '#shared/commands.ts';
import type { Command, MenuName } from '#shared/commands/command.ts';
import { CLEAR_RECENT, idOfRole, menuParts, MENUS } from '#shared/menu.ts';
import type { MenuPart } from '#shared/menu.ts';
import type { ChosenKeys } from '#shared/settings/definitions.ts';
import { keysOf } from '#shared/settings/key-bindings.ts';
import { visibleLine, visibleText } from '#shared/visible-text.ts';
import { logDropped } from './dropped.ts';
import type { RecentFiles } from './files/recent-files.ts';
import type { Settings } from './settings.ts';
import { tell } from './windows/registry.ts';
import type { AppWindow, AppWindows } from './windows/registry.ts';

const IS_MAC = process.platform === 'darwin';
/** Id of the submenu with the recent files. */
const RECENT = 'file.recent';
export const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

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
  const itemsOf = (part: MenuPart): MenuItemConstructorOptions => {
    if (part.kind === 'separator') return SEPARATOR;
    if (part.kind === 'recent') return recentMenu(recent, openFile);
    if (part.kind === 'system') return { id: idOfRole(part.entry.role), role: part.entry.role };
    return commandItem(part.command, keys, (id) => {
      // Electron has turned the check mark by itself: the page says what is on.
      showCommandStates(windows.current);
      choose(id);
    });
  };
  const place = { isMac: IS_MAC, hasDevTools: !app.isPackaged };
  const template = MENUS.map((name: MenuName): MenuItemConstructorOptions => ({
    label: `&${name}`,
    submenu: menuParts(name, place).map(itemsOf),
  }));
  Menu.setApplicationMenu(
    Menu.buildFromTemplate(IS_MAC ? [{ role: 'appMenu' }, ...template, { role: 'windowMenu' }] : template),
  );
  showCommandStates(windows.current);
}

function recentMenu(recent: RecentFiles, openFile: (path: string) => void): MenuItemConstructorOptions {
  const files = recent.paths.map((path) => ({
    id: recent.idOf(path),
    label: visibleText(visibleLine(path)).replaceAll('&', '&&'),
    click: () => openFile(path),
  }));
  const end = [SEPARATOR, { id: CLEAR_RECENT.id, label: CLEAR_RECENT.title, click: () => recent.clear() }];
  const submenu = files.length > 0 ? [...files, ...end] : [];
  return { id: RECENT, label: 'Open Recent', enabled: files.length > 0, submenu };
}

/** An entry that main carries out was chosen in the menu that the page shows. */
export function chooseSystemEntry(id: string, { browserWindow }: AppWindow): void {
  const item = Menu.getApplicationMenu()?.getMenuItemById(id);
  if (item && isSystemEntry(id)) item.click(undefined, browserWindow, browserWindow.webContents);
  else logDropped(`the entry ${id}`, 'the menu no longer has it');
}

/** Commands are carried out by the page. */
const isSystemEntry = (id: string): boolean => /^(?:role|recent)\./.test(id);

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
    ...(command.check && { type: command.check }),
    ...(shown && { accelerator: key, registerAccelerator: IS_MAC }),
  };
}

/** Shows which commands the front window has enabled, and which are on: under a modal dialog it has none that open a file. */
export function showCommandStates(window: AppWindow | null): void {
  const menu = Menu.getApplicationMenu();
  for (const { id } of COMMANDS) {
    const item = menu?.getMenuItemById(id);
    if (!item) continue;
    item.enabled = window?.enabledCommands?.has(id) ?? true;
    const isOn = window?.checkedCommands.has(id) ?? false;
    // Assigning anything to a radio button turns it on, and the others of its group off.
    if (item.type === 'checkbox' || (item.type === 'radio' && isOn)) item.checked = isOn;
  }
  const recent = menu?.getMenuItemById(RECENT);
  if (recent) recent.enabled = recent.submenu!.items.length > 0 && (window?.enabledCommands?.has('file.open') ?? true);
}
