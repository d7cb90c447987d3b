// What the menus hold, once: for the menu of the system, and for the menu in the title bar of a window.
import { COMMANDS } from './commands.ts';
import type { Command, MenuName } from './commands/command.ts';

export const MENUS: readonly MenuName[] = ['File', 'Edit', 'View', 'Database', 'Query', 'Help'];

/** Entries that Electron implements (electronjs.org/docs/latest/api/menu-item#roles). */
type MenuRole =
  | 'quit'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'toggleDevTools';

interface SystemEntry {
  readonly role: MenuRole;
  /** Title and key as Electron has them on Linux and Windows. */
  readonly title: string;
  readonly key: string;
}

export type MenuPart =
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'system'; readonly entry: SystemEntry }
  /** The submenu with the recent files. */
  | { readonly kind: 'recent' }
  | { readonly kind: 'separator' };

interface MenuPlace {
  /** The app menu of macOS has the entry to quit. */
  readonly isMac: boolean;
  /** Not in the installed app. */
  readonly hasDevTools: boolean;
}

/** A recent file, for a page: the id stands for the path, which pages do not learn. */
export interface RecentFile {
  readonly id: string;
  readonly name: string;
}

/** What only main knows of the menu. */
export interface SystemMenu {
  readonly recent: readonly RecentFile[];
  readonly hasDevTools: boolean;
}

export const CLEAR_RECENT = { id: 'recent.clear', title: 'Clear Recent Files' } as const;

/** Id of an entry that Electron implements. */
export const idOfRole = (role: MenuRole): string => `role.${role}`;

const SEPARATOR: MenuPart = { kind: 'separator' };
const system = (role: MenuRole, title: string, key: string): MenuPart => ({
  kind: 'system',
  entry: { role, title, key },
});

/**
 * Entries that follow a command. Copy, Cut, Paste, and Select All send an event to whatever has the focus, and cells listen to it, so one
 * entry is enough; Undo is a command, because it must know whether text is meant.
 */
const AFTER: Readonly<Record<string, readonly MenuPart[]>> = {
  'file.open': [{ kind: 'recent' }],
  'history.redo': [SEPARATOR, system('cut', 'Cut', 'CmdOrCtrl+X'), system('copy', 'Copy', 'CmdOrCtrl+C')],
  'grid.copyTransposed': [system('paste', 'Paste', 'CmdOrCtrl+V')],
  'grid.pasteSpecial': [system('selectAll', 'Select All', 'CmdOrCtrl+A')],
};

const AT_END: Readonly<Partial<Record<MenuName, (place: MenuPlace) => readonly MenuPart[]>>> = {
  File: ({ isMac }) => (isMac ? [] : [SEPARATOR, system('quit', 'Quit', 'CmdOrCtrl+Q')]),
  View: ({ hasDevTools }) => [
    SEPARATOR,
    system('resetZoom', 'Actual Size', 'CmdOrCtrl+0'),
    system('zoomIn', 'Zoom In', 'CmdOrCtrl++'),
    system('zoomOut', 'Zoom Out', 'CmdOrCtrl+-'),
    system('togglefullscreen', 'Toggle Full Screen', 'F11'),
    ...(hasDevTools ? [system('toggleDevTools', 'Toggle Developer Tools', 'CmdOrCtrl+Shift+I')] : []),
  ],
};

/** The entries of a menu, in their order. */
export function menuParts(name: MenuName, place: MenuPlace): readonly MenuPart[] {
  const ofMenu = (COMMANDS as readonly Command[]).filter(({ menu }) => menu === name);
  return [
    ...ofMenu.flatMap((command, index) => [
      ...(command.group && index > 0 ? [SEPARATOR] : []),
      { kind: 'command', command } as const,
      ...(AFTER[command.id] ?? []),
    ]),
    ...(AT_END[name]?.(place) ?? []),
  ];
}
