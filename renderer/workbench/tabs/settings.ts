// The kind of tab that shows the settings.
import { SETTING_KEYS, type SettingKey } from '#shared/settings/definitions.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, showLibrary, updateTab } from '../../state/store.ts';
import { focusContent } from '../commands/focus-content.ts';
import { Settings } from 'lucide-react';
import * as v from 'valibot';
import { text } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

/** The settings tab, which belongs to the window; a window has at most one. */
export interface SettingsTab extends Tab {
  readonly kind: 'settings';
  readonly database: null;
  readonly words: string;
  /** The setting that was asked for last; the focus goes to it when the page is opened. */
  readonly at: SettingKey | null;
}

interface SettingsPlace {
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

export const SETTINGS_TAB: TabDescription<SettingsTab> = {
  kind: 'settings',
  belongsTo: 'window',
  icon: Settings,
  hasDetails: false,
  title: () => 'Settings',
  fields: v.object({ words: text, at: v.fallback(v.nullable(v.picklist(SETTING_KEYS)), null) }),
};
