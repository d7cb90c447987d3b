// Which tabs show a map beside their rows, what it draws, and which row is selected there.
import * as v from 'valibot';
import { create } from 'zustand';
import { textOrNull } from '#shared/stored.ts';
import type { Tab } from '../../state/slices/tabs.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { COORDINATES, type Coordinates } from './projection.ts';

export interface MapChoice {
  /** Name of the column; null for the first one that can be drawn. */
  readonly column: string | null;
  /** What its coordinates are. Null: what the values say, or else what the tables that describe geometry columns say. */
  readonly coordinates: Coordinates | null;
}

/** The part of a tab whose rows can have a map beside them. */
export interface MapPart {
  /** Set while the map is shown. */
  readonly map?: MapChoice | null;
}

export const STORED_MAP = v.exactOptional(
  v.fallback(
    v.nullable(v.object({ column: textOrNull, coordinates: v.fallback(v.nullable(v.picklist(COORDINATES)), null) })),
    null,
  ),
);

const FIRST_CHOICE: MapChoice = { column: null, coordinates: null };

/** The current row of each tab that shows a map. */
const useRows = create<Readonly<Record<string, number | null>>>()(() => ({}));

const mapOf = (tabs: readonly Tab[], tabId: string): MapChoice | null =>
  (tabs.find(({ id }) => id === tabId) as (Tab & MapPart) | undefined)?.map ?? null;

export const useMapChoice = (tabId: string): MapChoice | null => useStore(({ tabs }) => mapOf(tabs, tabId));

export const useMapRow = (tabId: string): number | null => useRows((rows) => rows[tabId] ?? null);

/** @param row the current row of its grid; null if there is none */
export function toggleMap(tabId: string, row: number | null): void {
  const isShown = mapOf(useStore.getState().tabs, tabId) !== null;
  useRows.setState({ [tabId]: isShown ? null : row });
  updateTab<Tab & MapPart>(tabId, { map: isShown ? null : FIRST_CHOICE });
}

export const chooseMap = (tabId: string, map: MapChoice): void => updateTab<Tab & MapPart>(tabId, { map });

export function noteMapRow(tabId: string, row: number): void {
  if (useRows.getState()[tabId] !== row && mapOf(useStore.getState().tabs, tabId)) useRows.setState({ [tabId]: row });
}
