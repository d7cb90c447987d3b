// Filters that the user has named, by table: kept with the app's state, in every window, and found again when a table is renamed.
import * as v from 'valibot';
import { create } from 'zustand';
import type { DatabaseId, FilterEntry } from '#shared/protocol/index.ts';
import { FILTER_OPERATORS } from '#shared/filter-operators.ts';
import { each, text } from '#shared/stored.ts';
import type { Renamed } from './renamed-relations.ts';
import { remember, remembered } from './remembered.ts';
import { parseState, stringifyState } from './state-json.ts';

export interface SavedFilter {
  readonly name: string;
  readonly filter: readonly FilterEntry[];
  /** Raw SQL condition; empty for none. */
  readonly where: string;
}

const KEY = 'sidelite.filters';
/** Number of tables whose filters are kept: the tables whose filters were saved last. */
const MOST_TABLES = 500;
const MOST_OF_A_TABLE = 50;

const filterTerm = v.looseObject({
  column: v.nullable(v.string()),
  operator: v.picklist(FILTER_OPERATORS.map(({ id }) => id)),
});

/** One entry of a filter as it was stored. The worker checks the rest of a term. */
export const STORED_FILTER_ENTRY = v.union([filterTerm, v.strictObject({ any: v.array(v.array(filterTerm)) })]);

const STORED = each(
  v.tuple([v.string(), each(v.object({ name: v.string(), filter: each(STORED_FILTER_ENTRY), where: text }))]),
);

type Kept = ReadonlyMap<string, readonly SavedFilter[]>;

const useKept = create<{ readonly kept: Kept }>(() => ({ kept: read() }));

// Saved in another window.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === KEY) useKept.setState({ kept: read() });
});

const NONE: readonly SavedFilter[] = [];
const keyOf = (database: DatabaseId, table: string): string => `${database} ${table}`;

/** Filters sorted by name. */
export const useSavedFilters = (database: DatabaseId, table: string): readonly SavedFilter[] =>
  useKept(({ kept }) => kept.get(keyOf(database, table)) ?? NONE);

/** Saves a filter in place of the one with the same name. Returns whether there was room for it. */
export function saveFilter(database: DatabaseId, table: string, saved: SavedFilter): boolean {
  const others = of(database, table).filter(({ name }) => name !== saved.name);
  if (others.length >= MOST_OF_A_TABLE) return false;
  return put(keyOf(database, table), [...others, saved]);
}

export function deleteFilter(database: DatabaseId, table: string, name: string): void {
  put(
    keyOf(database, table),
    of(database, table).filter((saved) => saved.name !== name),
  );
}

/** The database is encrypted from now on, and what is kept here is not. */
export function deleteFiltersOf(database: DatabaseId): void {
  const { kept } = useKept.getState();
  const others = [...kept].filter(([key]) => !key.startsWith(keyOf(database, '')));
  if (others.length < kept.size) write(new Map(others));
}

export function renameSavedFilters(database: DatabaseId, renamed: readonly Renamed[]): void {
  const { kept } = useKept.getState();
  const names = new Map(renamed.map(({ from, to }) => [keyOf(database, from), keyOf(database, to)]));
  if (![...kept.keys()].some((key) => names.has(key))) return;
  write(new Map([...kept].map(([key, filters]) => [names.get(key) ?? key, filters])));
}

const of = (database: DatabaseId, table: string): readonly SavedFilter[] =>
  useKept.getState().kept.get(keyOf(database, table)) ?? NONE;

function put(key: string, filters: readonly SavedFilter[]): boolean {
  const kept = new Map(useKept.getState().kept);
  kept.delete(key);
  const sorted = [...filters].sort((a, b) => a.name.localeCompare(b.name));
  if (sorted.length > 0) kept.set(key, sorted);
  return write(new Map([...kept].slice(-MOST_TABLES)));
}

function write(kept: Kept): boolean {
  const isKept = remember(KEY, [...kept], stringifyState);
  if (isKept) useKept.setState({ kept });
  return isKept;
}

function read(): Kept {
  return new Map(
    v.parse(STORED, remembered(KEY, parseState)) as unknown as readonly (readonly [string, readonly SavedFilter[]])[],
  );
}
