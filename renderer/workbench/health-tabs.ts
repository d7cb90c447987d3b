// Health pages, as far as others have to know them: what one keeps, and how one is opened.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { openSingleTab } from '../state/store.ts';

export const HEALTH_SECTIONS = ['space', 'findings', 'settings', 'upkeep'] as const;
export type HealthSection = (typeof HEALTH_SECTIONS)[number];

/** How one database is. */
export interface HealthTab extends Tab {
  readonly kind: 'health';
  readonly database: DatabaseId;
  readonly section: HealthSection;
}

/** Brings the health page of the database to the front. Answers the tab's id. */
export const openHealth = (database: DatabaseId): string =>
  openSingleTab<HealthTab>({ kind: 'health', database, section: 'space' });
