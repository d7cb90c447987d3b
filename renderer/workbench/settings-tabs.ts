// The shared part of the settings tab: what it stores, and how it is opened.
import type { Tab } from '../state/slices/tabs.ts';
import { openSingleTab, showLibrary, updateTab } from '../state/store.ts';
import { focusContent } from './focus-content.ts';

/** It belongs to the window, which has one at most. */
export interface SettingsTab extends Tab {
  readonly kind: 'settings';
  readonly database: null;
  /** Search text in it. */
  readonly words: string;
}

/** Activates the settings, or opens them. @param words what to search for in them */
export function openSettings(words = ''): void {
  showLibrary(false);
  const id = openSingleTab<SettingsTab>({ kind: 'settings', database: null, words });
  updateTab<SettingsTab>(id, { words });
  focusContent();
}
