// The kind of tab that shows the state of a database: where its bytes are, what is wrong in it, its settings and its upkeep.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../../state/store.ts';
import { Activity } from 'lucide-react';
import * as v from 'valibot';
import { oneOf } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

export const HEALTH_SECTIONS = ['space', 'findings', 'settings', 'upkeep', 'extensions', 'functions'] as const;
export type HealthSection = (typeof HEALTH_SECTIONS)[number];

export interface HealthTab extends Tab {
  readonly kind: 'health';
  readonly database: DatabaseId;
  readonly section: HealthSection;
}

/**
 * Activates the health page of the database, or opens one. Returns the tab's id.
 * @param section the part to show; otherwise the page keeps the part that it shows
 */
export function openHealth(database: DatabaseId, section?: HealthSection): string {
  const id = openSingleTab<HealthTab>({ kind: 'health', database, section: section ?? 'space' });
  if (section) updateTab<HealthTab>(id, { section });
  return id;
}

export const HEALTH_TAB: TabDescription<HealthTab> = {
  kind: 'health',
  belongsTo: 'database',
  icon: Activity,
  hasDetails: false,
  title: () => 'Health',
  isSame: () => true,
  fields: v.object({ section: oneOf(HEALTH_SECTIONS, 'space') }),
};
