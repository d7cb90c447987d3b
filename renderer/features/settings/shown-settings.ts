// Which settings and commands the page shows for a search: pure, so that it can be tested without a window.
import { COMMANDS, type CommandId } from '#shared/commands.ts';
import type { Command } from '#shared/commands/command.ts';
import { SECTIONS, SETTINGS, type ChosenKeys, type Setting, type SettingKey } from '#shared/settings/definitions.ts';
import { COMMAND_WORDS, SETTING_WORDS } from '../../workbench/commands/search-words.ts';
import { keyLabel, keysHere } from '../../workbench/commands/key-map.ts';

interface ShownSection {
  readonly title: string;
  readonly keys: readonly SettingKey[];
}

interface Wanted {
  readonly words: string;
  /** Show only settings that differ from their defaults. */
  readonly onlyChanged: boolean;
  readonly isDesktop: boolean;
  readonly isChanged: (key: string) => boolean;
}

export const settingNamed = (key: SettingKey): Setting => SETTINGS[key];

export function shownSections({ words, onlyChanged, isDesktop, isChanged }: Wanted): readonly ShownSection[] {
  return SECTIONS.map(({ title, keys }) => ({
    title,
    keys: keys.filter((key) => {
      const setting = settingNamed(key);
      if (onlyChanged && !isChanged(key)) return false;
      if (setting.desktopOnly && !isDesktop) return false;
      const options = setting.kind === 'choice' ? setting.options.map(([, option]) => option) : [];
      return matches(words, [title, setting.title, setting.meaning, key, SETTING_WORDS[key] ?? '', ...options]);
    }),
  })).filter(({ keys }) => keys.length > 0);
}

/** Whether the search finds the place of extensions, which has no setting. */
export const showsExtensions = ({ words, onlyChanged }: Wanted): boolean =>
  !onlyChanged && matches(words, ['Extensions', COMMAND_WORDS['health.extensions'] ?? '']);

const KEYBOARD = 'Keyboard shortcuts';

export function shownCommands({ words, onlyChanged }: Wanted, keys: ChosenKeys): readonly Command[] {
  return (COMMANDS as readonly Command[]).filter((command) => {
    if (onlyChanged && !Object.hasOwn(keys, command.id)) return false;
    const own = keysHere(command, keys).map((key) => keyLabel(key));
    return matches(words, [
      KEYBOARD,
      command.title,
      command.menu ?? '',
      command.id,
      COMMAND_WORDS[command.id as CommandId] ?? '',
      ...own,
    ]);
  });
}

/** Every word is in one of the texts. */
function matches(words: string, texts: readonly string[]): boolean {
  const all = texts.join('\n').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word));
}
