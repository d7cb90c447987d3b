// Maps keys to commands, with the person's choices: for the menu, the key map, and the conflicts the settings page shows.
import { COMMANDS } from '../commands.ts';
import type { Command } from '../commands/command.ts';
import { whyReserved } from './accelerators.ts';
import type { ChosenKeys } from './definitions.ts';

/** Its keys now: the first one is shown in menus. */
export function keysOf(command: Command, chosen: ChosenKeys, mac: boolean): readonly string[] {
  const { id, key, macKey, otherKeys = [] } = command;
  const first = (mac ? macKey : undefined) ?? key;
  return (Object.hasOwn(chosen, id) ? chosen[id] : undefined) ?? (first === undefined ? [] : [first, ...otherKeys]);
}

/** Why the key cannot run the command, as a sentence; null if it can. Each can have what it has by default, here or on another system. */
export function whyNotKeyOf(id: string, accelerator: string): string | null {
  const command = (COMMANDS as readonly Command[]).find((one) => one.id === id);
  return command?.key === accelerator || command?.macKey === accelerator ? null : whyReserved(accelerator);
}

export interface KeyConflict {
  /** The key as the command has it. */
  readonly key: string;
  readonly other: Command;
}

/**
 * Returns, by command id, the other commands that the same key would run. The grid and the editor never have the focus together, and a key
 * of one of them comes before the same key of the window.
 * @param canonical one spelling for all names of a key on this system
 */
export function keyConflicts(
  commands: readonly Command[],
  chosen: ChosenKeys,
  mac: boolean,
  canonical: (key: string) => string,
): ReadonlyMap<string, readonly KeyConflict[]> {
  const taken = new Map<string, { readonly command: Command; readonly key: string }[]>();
  for (const command of commands) {
    for (const key of keysOf(command, chosen, mac)) {
      const place = `${command.scope === 'text' ? 'editor' : command.scope} ${canonical(key)}`;
      taken.set(place, [...(taken.get(place) ?? []).filter((other) => other.command !== command), { command, key }]);
    }
  }
  const conflicts = new Map<string, KeyConflict[]>();
  for (const together of taken.values()) {
    for (const { command, key } of together) {
      const others = together
        .filter((other) => ownerOf(other.command) !== ownerOf(command))
        .map((other) => ({ key, other: other.command }));
      if (others.length > 0) conflicts.set(command.id, [...(conflicts.get(command.id) ?? []), ...others]);
    }
  }
  return conflicts;
}

/** The command that owns the key. Commands that take the key of another come before it while they are enabled. */
const ownerOf = ({ id, takesKeyOf }: Command): string => takesKeyOf ?? id;
