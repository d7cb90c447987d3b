// The shared part of the settings tab: what it stores, and how it is opened.
import type { SettingKey } from '#shared/settings/definitions.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { openSingleTab, showLibrary, updateTab } from '../state/store.ts';
import { focusContent } from './focus-content.ts';

/** It belongs to the window, which has one at most. */
export interface SettingsTab extends Tab {
  readonly kind: 'settings';
  readonly database: null;
  /** Search text in it. */
  readonly words: string;
  /** The setting that was asked for last; the focus goes to it when the page is opened. */
  readonly at: SettingKey | null;
}

interface SettingsPlace {
  /** What to search for in them. */
  readonly words?: string;
  /** The setting to scroll to, with the focus on its value. */
  readonly at?: SettingKey;
}

/** Activates the settings, or opens them. */
export function openSettings({ words = '', at }: SettingsPlace = {}): void {
  showLibrary(false);
  const place = { words, at: at ?? null };
  const id = openSingleTab<SettingsTab>({ kind: 'settings', database: null, ...place });
  updateTab<SettingsTab>(id, place);
  focusContent();
}
