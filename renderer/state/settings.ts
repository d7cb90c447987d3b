// The settings as this window has them: kept in step by settings-sync.ts.
import { create } from 'zustand';
import type { SettingValues } from '#shared/settings/definitions.ts';
import { readSettings } from '#shared/settings/read-settings.ts';
import type { ReadSettings, SettingsState } from '#shared/settings/read-settings.ts';

export interface WindowSettings extends SettingsState, ReadSettings {}

export const useSettings = create<WindowSettings>(() => settingsOf({ chosen: {}, problem: null }));

function settingsOf(state: SettingsState): WindowSettings {
  return { ...state, ...readSettings(state.chosen) };
}

export const useSetting = <K extends keyof SettingValues>(key: K): SettingValues[K] =>
  useSettings(({ values }) => values[key]);

export const settingNow = <K extends keyof SettingValues>(key: K): SettingValues[K] =>
  useSettings.getState().values[key];

/** Uses these settings from now on. Returns whether anything is different. */
export function takeSettings(state: SettingsState): boolean {
  const { chosen, problem } = useSettings.getState();
  if (problem === state.problem && JSON.stringify(chosen) === JSON.stringify(state.chosen)) return false;
  useSettings.setState(settingsOf(state));
  return true;
}
