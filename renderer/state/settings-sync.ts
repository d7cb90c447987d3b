// Keeps the settings of this window in step with what main, or the browser, keeps for all windows.
import { changedSettings } from '#shared/settings/read-settings.ts';
import type { ChosenSettings, SettingsState } from '#shared/settings/read-settings.ts';
import { rememberedSettings, rememberSettings } from '../connection/browser-settings.ts';
import { isDesktop, shell } from '../connection/shell.ts';
import { takeSettings, useSettings } from './settings.ts';

/** Changes on their way to main: until they have come back, settings from main are older than the ones that this window shows. */
let underWay = 0;

/** Uses the settings that the last window knew, so that the first paint has the right theme. */
export const beginWithRememberedSettings = (): void => void takeSettings(rememberedSettings());

/** Takes the settings from main, now and after each change. */
export async function startSettings(): Promise<void> {
  shell.onSettingsChanged((state) => void (underWay === 0 && takeAndRemember(state)));
  takeAndRemember(await shell.settings());
}

/**
 * Applies a change immediately. Rejects, and restores the value before, if the change cannot be saved.
 * @param change null resets a setting to its default
 */
export async function changeSettings(change: ChosenSettings): Promise<void> {
  const before = useSettings.getState();
  const chosen = changedSettings(before.chosen, change);
  if (typeof chosen === 'string') throw new Error(chosen);
  takeSettings({ chosen, problem: before.problem });
  underWay++;
  try {
    const state = await shell.changeSettings(change);
    if (underWay === 1) takeAndRemember(state);
  } catch (thrown) {
    takeAndRemember(await shell.settings());
    throw thrown;
  } finally {
    underWay--;
  }
}

export function takeAndRemember(state: SettingsState): void {
  if (takeSettings(state) && isDesktop) rememberSettings(state);
}
