// The kind of tab that shows tables and what refers to what.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { openSingleTab, updateTab } from '../../state/store.ts';
import { Workflow } from 'lucide-react';
import * as v from 'valibot';
import { each, flag, textOrNull } from '#shared/stored.ts';
import type { TabDescription } from '../../state/tab-kinds.ts';

export interface DiagramTab extends Tab {
  readonly kind: 'diagram';
  readonly database: DatabaseId;
  /** The table at the center; null for the whole database. */
  readonly table: string | null;
  /** How many relations away from that table to show. */
  readonly steps: 1 | 2;
  readonly likely: boolean;
  readonly views: boolean;
  /** Whether the diagram is shown as a list, with the same content in words. */
  readonly list: boolean;
  /** Tables that show all their columns. */
  readonly expanded: readonly string[];
  /** The table whose surroundings a diagram of too many tables shows; null: the one with the most relations. */
  readonly around: string | null;
}

/**
 * Activates the diagram of the database, or around `table`, or opens one. Returns the tab's id.
 * @param current the table that the user comes from
 */
export function openDiagram(
  database: DatabaseId,
  table: string | null = null,
  steps: 1 | 2 = 1,
  current: string | null = null,
): string {
  const shown = { likely: true, views: false, list: false, expanded: [], around: current };
  const id = openSingleTab<DiagramTab>({ kind: 'diagram', database, table, steps, ...shown }, 'table');
  if (table !== null) updateTab<DiagramTab>(id, { steps });
  else if (current !== null) updateTab<DiagramTab>(id, { around: current });
  return id;
}

export const DIAGRAM_TAB: TabDescription<DiagramTab> = {
  kind: 'diagram',
  belongsTo: 'database',
  icon: Workflow,
  hasDetails: false,
  followNames: ({ table, expanded, around }, nameNow) => ({
    table: table === null ? null : nameNow(table),
    expanded: expanded.map(nameNow),
    around: around === null ? null : nameNow(around),
  }),
  title: ({ table }) => (table === null ? 'Diagram' : `Diagram: ${table}`),
  fields: v.object({
    database: v.string(),
    table: textOrNull,
    steps: v.fallback(v.picklist([1, 2]), 1),
    likely: flag(true),
    views: flag(false),
    list: flag(false),
    expanded: each(v.string()),
    around: textOrNull,
  }),
};
