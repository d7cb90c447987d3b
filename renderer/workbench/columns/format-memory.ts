// The display formats that the user has chosen, remembered by table and column in every window, across restarts. A column of a result has
// the format of the table's column that it comes from.
import * as v from 'valibot';
import { create } from 'zustand';
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { FormatChoice } from '#shared/display-formats/formats.ts';
import { eachEntry } from '#shared/stored.ts';
import { remember, remembered } from '../../state/remembered.ts';

/** By column. */
type Choices = Readonly<Record<string, FormatChoice>>;
type Kept = ReadonlyMap<string, Choices>;

export interface FormatPlace {
  /** The table, or the results with the same columns. */
  readonly owner: string;
  /** Name of the table's column, or number of the result's. */
  readonly column: string;
}

const KEY = 'sidelite.displayFormats';
/** Number of tables and results, those chosen last. */
const MAX_KEPT = 500;

const short = v.pipe(v.string(), v.maxLength(100));
const STORED = v.fallback(v.array(v.tuple([v.string(), eachEntry(v.object({ format: short, zone: short }))])), []);

const read = (): Kept => new Map(v.parse(STORED, remembered(KEY)));

export const useFormatChoices = create<{ readonly kept: Kept }>()(() => ({ kept: read() }));

// Another window has chosen a format.
globalThis.addEventListener?.('storage', (event) => {
  if (event.key === KEY) useFormatChoices.setState({ kept: read() });
});

export const tablePlace = (database: DatabaseId, table: string, column: string): FormatPlace => ({
  owner: `table ${database} ${table}`,
  column,
});

export function resultPlaces(database: DatabaseId, names: readonly string[]): readonly FormatPlace[] {
  const owner = `result ${database} ${JSON.stringify(names)}`;
  return names.map((_name, column) => ({ owner, column: String(column) }));
}

export function choiceAt(kept: Kept, { owner, column }: FormatPlace): FormatChoice | undefined {
  const choices = kept.get(owner);
  return choices && Object.hasOwn(choices, column) ? choices[column] : undefined;
}

/** @param choice null shows stored values */
export function keepChoice({ owner, column }: FormatPlace, choice: FormatChoice | null): void {
  const { kept } = useFormatChoices.getState();
  const others = Object.entries(kept.get(owner) ?? {}).filter(([name]) => name !== column);
  const choices = Object.fromEntries(choice ? [...others, [column, choice]] : others);
  const rest = [...kept].filter(([name]) => name !== owner);
  const now = Object.keys(choices).length === 0 ? rest : [...rest, [owner, choices] as const];
  useFormatChoices.setState({ kept: new Map(now) });
  // If there is no room, the formats last until the window closes.
  remember(KEY, now.slice(-MAX_KEPT));
}
