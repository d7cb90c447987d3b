// Changes one setting, and tells the user if the change could not be kept.
import { SETTINGS, type SettingKey, type SettingValues } from '#shared/settings/definitions.ts';
import { notifyFailure } from '../state/databases.ts';
import { changeSettings } from '../state/settings-sync.ts';

/** @param value null resets the setting to its default */
export function setSetting<K extends keyof SettingValues>(key: K, value: SettingValues[K] | null): void {
  const isDefault = key !== 'keys' && value === SETTINGS[key as SettingKey].initial;
  changeSettings({ [key]: isDefault ? null : value }).catch(notifyFailure);
}
