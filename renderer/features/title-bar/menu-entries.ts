// The entries of a menu in the title bar, from the description that the native menu is built from.
import type { CommandId } from '#shared/commands.ts';
import type { Command, MenuName } from '#shared/commands/command.ts';
import { CLEAR_RECENT, idOfRole, menuParts, type MenuPart, type SystemMenu } from '#shared/menu.ts';
import type { ChosenKeys } from '#shared/settings/definitions.ts';
import { visibleName } from '#shared/visible-text.ts';
import type { MenuEntry, Submenu } from '../../ui/menu.tsx';
import { keyLabel, keysHere } from '../../workbench/commands/key-map.ts';

export interface MenuWorld {
  readonly enabled: ReadonlySet<CommandId>;
  readonly checked: ReadonlySet<CommandId>;
  readonly keys: ChosenKeys;
  readonly system: SystemMenu;
  /** A command was chosen. */
  readonly onCommand: (id: CommandId) => void;
  /** An entry that main carries out was chosen. */
  readonly onSystemEntry: (id: string) => void;
}

export function entriesOf(name: MenuName, world: MenuWorld): readonly MenuEntry[] {
  const parts = menuParts(name, { isMac: false, hasDevTools: world.system.hasDevTools });
  return parts.map((part) => entryOf(part, world));
}

function entryOf(part: MenuPart, world: MenuWorld): MenuEntry {
  if (part.kind === 'separator') return 'separator';
  if (part.kind === 'recent') return recentMenu(world);
  if (part.kind === 'command') return commandEntry(part.command, world);
  const { role, title, key } = part.entry;
  return { label: title, hint: keyLabel(key), run: () => world.onSystemEntry(idOfRole(role)) };
}

function commandEntry(command: Command, { enabled, checked, keys, onCommand }: MenuWorld): MenuEntry {
  const id = command.id as CommandId;
  const [key] = keysHere(command, keys);
  return {
    label: command.title,
    hint: key && keyLabel(key),
    disabled: !enabled.has(id),
    run: () => onCommand(id),
    ...(command.check && { checked: checked.has(id), isSwitch: command.check === 'checkbox' }),
  };
}

function recentMenu({ system: { recent }, enabled, onSystemEntry }: MenuWorld): Submenu {
  const files = recent.map(({ id, name }) => ({ label: visibleName(name), run: () => onSystemEntry(id) }));
  const clear = { label: CLEAR_RECENT.title, run: () => onSystemEntry(CLEAR_RECENT.id) };
  return {
    submenu: 'Open Recent',
    entries: [...files, 'separator', clear],
    disabled: files.length === 0 || !enabled.has('file.open'),
  };
}
