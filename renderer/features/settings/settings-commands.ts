// The command that opens the settings.
import { useCommand } from '../../workbench/commands/commands.ts';
import { openSettings } from '../../workbench/tabs/settings.ts';

export function useSettingsCommands(): void {
  useCommand('settings.show', () => openSettings());
}
