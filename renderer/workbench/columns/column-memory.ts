// How the user has arranged and colored the columns of tables and results, remembered for the next time they are opened, in any window. Tabs that are open
// keep their own arrangement with the window.
import * as v from 'valibot';
import { create } from 'zustand';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { above0, each, eachEntry, forgiving, size } from '#shared/stored.ts';
import { remember, remembered } from '../../state/remembered.ts';
import { STORED_COLOR_RULES, type ColorRules } from '../color-rules/color-rule.ts';

/** Columns by name, or by number where names may occur twice. */
export interface KeptColumns<C extends string | number> {
  readonly widths: Readonly<Record<string, number>>;
  readonly order: readonly C[];
  readonly hidden: readonly C[];
  readonly frozen: number;
  readonly colors: ColorRules;
}

const KEY = 'sidelite.columns';
/** Number of tables and results, those arranged last; a text of a few hundred kilobytes at most. */
const MAX_KEPT = 200;
const MAX_NAME_CHARS = 1000;

const fieldsOf = <C extends v.GenericSchema>(column: C) => ({
  widths: eachEntry(above0),
  order: each(column),
  hidden: each(column),
  frozen: size(0),
  colors: STORED_COLOR_RULES,
});
const BY_NAME = forgiving(fieldsOf(v.string()));
const BY_NUMBER = forgiving(fieldsOf(v.pipe(v.number(), v.integer(), v.minValue(0))));

const tableKey = (database: DatabaseId, table: string): string => `table ${database} ${table}`;
const resultKey = (database: DatabaseId, names: readonly string[]): string =>
  `result ${database} ${JSON.stringify(names)}`;

/** Null if the table's columns were never arranged or colored. */
export function tableColumns(database: DatabaseId, table: string): KeptColumns<string> | null {
  const stored = entry(tableKey(database, table));
  return stored === undefined ? null : (v.parse(BY_NAME, stored) as KeptColumns<string>);
}

export function keepTableColumns(database: DatabaseId, table: string, columns: KeptColumns<string>): void {
  keep(tableKey(database, table), columns);
  useTableColors.setState({ colorsOf: readColors() });
}

/**
 * The colors of tables, for components that show their columns elsewhere: another function whenever the colors may have changed in this
 * window.
 */
export const useTableColors = create<{
  readonly colorsOf: (database: DatabaseId, table: string) => ColorRules;
}>()(() => ({ colorsOf: readColors() }));

function readColors(): (database: DatabaseId, table: string) => ColorRules {
  return (database, table) => tableColumns(database, table)?.colors ?? {};
}

/** A result is known by its database and the names of its columns, so that it is found again when its statement is edited. */
export function resultColumns(database: DatabaseId, names: readonly string[]): KeptColumns<number> | null {
  const stored = entry(resultKey(database, names));
  return stored === undefined ? null : (v.parse(BY_NUMBER, stored) as KeptColumns<number>);
}

export const keepResultColumns = (database: DatabaseId, names: readonly string[], columns: KeptColumns<number>): void =>
  keep(resultKey(database, names), columns);

function entry(key: string): unknown {
  return new Map(read()).get(key);
}

function keep<C extends string | number>(key: string, { widths, order, hidden, frozen, colors }: KeptColumns<C>): void {
  if (key.length > MAX_NAME_CHARS) return;
  const others = read().filter(([other]) => other !== key);
  const isPlain = Object.keys(widths).length + Object.keys(colors).length + order.length + hidden.length + frozen === 0;
  const kept = isPlain ? others : [...others, [key, { widths, order, hidden, frozen, colors }]];
  // If there is no room, the columns are as SQLite returns them the next time.
  remember(KEY, kept.slice(-MAX_KEPT));
}

const read = (): readonly (readonly [string, unknown])[] =>
  v.parse(v.fallback(v.array(v.tuple([v.string(), v.unknown()])), []), remembered(KEY));
