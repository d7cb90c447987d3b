// The kind of tab that shows the settings.
import { Settings } from 'lucide-react';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import * as v from 'valibot';
import { text } from '#shared/stored.ts';
import { SETTING_KEYS } from '#shared/settings/definitions.ts';
import { defineTabKind } from '../../state/tab-kinds.ts';
import type { SettingsTab } from '../../workbench/settings-tabs.ts';

export const SETTINGS_TAB = defineTabKind<SettingsTab>({
  kind: 'settings',
  belongsTo: 'window',
  icon: Settings,
  hasDetails: false,
  title: () => 'Settings',
  fields: v.object({ words: text, at: v.fallback(v.nullable(v.picklist(SETTING_KEYS)), null) }),
  Content: lazyComponent(async () => ({ default: (await import('./settings-tab.tsx')).SettingsTabContent })),
});
