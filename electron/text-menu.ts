// The menu of a right click, or the menu key, on text: Electron shows none by itself. Everything else in a page has menus of its own.
import { app, Menu } from 'electron';
import type { BrowserWindow, ContextMenuParams, MenuItemConstructorOptions } from 'electron';
import { COMMANDS } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';
import { isRichText } from './compat.ts';
import type { Lifetime } from './lifetime.ts';
import { commandItem, SEPARATOR } from './menu.ts';
import type { Settings } from './settings.ts';
import { tell } from './windows/registry.ts';
import type { AppWindow, AppWindows } from './windows/registry.ts';

/** Commands for SQL, shown above those for every text. */
const SQL_COMMANDS: readonly (readonly CommandId[])[] = [
  ['query.run', 'query.dryRun', 'query.explain'],
  ['editor.definition', 'editor.rename', 'editor.format', 'editor.comment'],
];

/** Call before the first window opens. */
export function serveTextMenu(windows: AppWindows, lifetime: Lifetime, settings: Settings): void {
  lifetime.on(app, 'browser-window-created', (_event: unknown, browserWindow: BrowserWindow) => {
    browserWindow.webContents.on('context-menu', (_menu, params) => {
      const window = windows.of(browserWindow.webContents);
      const items = window ? itemsFor(window, params, settings) : [];
      if (items.length === 0) return;
      // Without coordinates it opens at the pointer, which is wrong for the menu key.
      const at = params.menuSourceType === 'keyboard' ? { x: Math.round(params.x), y: Math.round(params.y) } : {};
      Menu.buildFromTemplate(items).popup({ window: browserWindow, ...at });
    });
  });
}

function itemsFor(window: AppWindow, params: ContextMenuParams, settings: Settings): MenuItemConstructorOptions[] {
  const { isEditable, selectionText, editFlags } = params;
  const copy: MenuItemConstructorOptions = { role: 'copy', enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    ...(isRichText(params) ? sqlItems(window, settings) : []),
    { role: 'cut', enabled: editFlags.canCut },
    copy,
    { role: 'paste', enabled: editFlags.canPaste },
    SEPARATOR,
    { role: 'selectAll', enabled: editFlags.canSelectAll },
  ];
}

function sqlItems(window: AppWindow, settings: Settings): MenuItemConstructorOptions[] {
  const isEnabled = (id: string): boolean => window.enabledCommands?.has(id) ?? false;
  return SQL_COMMANDS.map((ids) => COMMANDS.filter(({ id }) => ids.includes(id) && isEnabled(id)))
    .filter((commands) => commands.length > 0)
    .flatMap((commands) => [
      ...commands.map((command) =>
        commandItem(command, settings.get('keys'), (id) => void tell(window, 'menu.chosen', () => id)),
      ),
      SEPARATOR,
    ]);
}
