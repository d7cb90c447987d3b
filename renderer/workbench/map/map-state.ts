// Which tabs show a map beside their rows, and which row is selected there.
import { create } from 'zustand';

interface Maps {
  /** The current row of each tab that shows a map. */
  readonly rows: Readonly<Record<string, number | null>>;
}

const useMaps = create<Maps>()(() => ({ rows: {} }));

export const useShowsMap = (tabId: string): boolean => useMaps(({ rows }) => rows[tabId] !== undefined);

export const useMapRow = (tabId: string): number | null => useMaps(({ rows }) => rows[tabId] ?? null);

/** @param row the current row of its grid; null if there is none */
export function toggleMap(tabId: string, row: number | null): void {
  const { [tabId]: shown, ...others } = useMaps.getState().rows;
  useMaps.setState({ rows: shown === undefined ? { ...others, [tabId]: row } : others });
}

/** The cursor of the grid is in another row. */
export function noteMapRow(tabId: string, row: number): void {
  const { rows } = useMaps.getState();
  if (rows[tabId] !== undefined && rows[tabId] !== row) useMaps.setState({ rows: { ...rows, [tabId]: row } });
}
