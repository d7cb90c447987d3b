// The command that opens the settings.
import { useCommand } from '../../workbench/commands.ts';
import { openSettings } from '../../workbench/settings-tabs.ts';

export function useSettingsCommands(): void {
  useCommand('settings.show', () => openSettings());
}
