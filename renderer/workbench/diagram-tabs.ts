// Tabs with a diagram, as far as others have to know them: of which database, around which table, and how one is opened.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../state/slices/tabs.ts';
import { activateTab, openTab, updateTab, useStore } from '../state/store.ts';

export interface DiagramTab extends Tab {
  readonly kind: 'diagram';
  readonly database: DatabaseId;
  /** The table whose surroundings it shows; null: the whole database. */
  readonly table: string | null;
  /** How many relations away from that table. */
  readonly steps: 1 | 2;
  readonly likely: boolean;
  readonly views: boolean;
  /** As a list, which says the same in words. */
  readonly list: boolean;
  /** Tables that show all their columns. */
  readonly expanded: readonly string[];
}

const isDiagramTab = (tab: Tab): tab is DiagramTab => tab.kind === 'diagram';

/** Brings the diagram of the database, or around `table`, to the front or makes it. Answers the tab's id. */
export function openDiagram(database: DatabaseId, table: string | null = null, steps: 1 | 2 = 1): string {
  const existing = useStore
    .getState()
    .tabs.filter(isDiagramTab)
    .find((tab) => tab.database === database && tab.table === table);
  if (!existing) {
    const shown = { likely: true, views: false, list: false, expanded: [] };
    return openTab<DiagramTab>({ kind: 'diagram', database, table, steps, ...shown });
  }
  if (table !== null) updateTab<DiagramTab>(existing.id, { steps });
  activateTab(existing.id);
  return existing.id;
}
