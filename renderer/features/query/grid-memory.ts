// The user's arrangement, colors, and scroll position for the results of a tab: kept across new runs with the same columns, while the tab
// is in the background, and across restarts.
import { PLAIN_VIEW, type GridView } from '../../grid/layout/geometry.ts';
import type { ColorRules } from '../../workbench/color-rules/color-rule.ts';
import { keepResultColumns, resultColumns, type KeptColumns } from '../../workbench/columns/column-memory.ts';
import type { QueryResult } from './query-view.ts';

export class GridMemory {
  readonly #columns = new Map<string, KeptColumns<number>>();
  #scrolled: { readonly result: number; readonly topRow: number } | null = null;

  view(result: QueryResult): GridView {
    return this.#columnsOf(result);
  }

  keepView(result: QueryResult, { widths, order, hidden, frozen }: GridView): void {
    this.#keep(result, { widths, order, hidden, frozen });
  }

  /** Colors by column number: two columns may have the same name. */
  colors(result: QueryResult): ColorRules {
    return this.#columnsOf(result).colors;
  }

  keepColors(result: QueryResult, colors: ColorRules): void {
    this.#keep(result, { colors });
  }

  topRow(result: QueryResult): number {
    return this.#scrolled?.result === result.id ? this.#scrolled.topRow : 0;
  }

  keepTopRow(result: QueryResult, topRow: number): void {
    this.#scrolled = { result: result.id, topRow };
  }

  #columnsOf(result: QueryResult): KeptColumns<number> {
    const kept = this.#columns.get(columnNames(result)) ?? resultColumns(result.source.database, namesOf(result));
    return kept ?? { ...PLAIN_VIEW, colors: {} };
  }

  #keep(result: QueryResult, change: Partial<KeptColumns<number>>): void {
    const columns = { ...this.#columnsOf(result), ...change };
    this.#columns.set(columnNames(result), columns);
    keepResultColumns(result.source.database, namesOf(result), columns);
  }
}

const namesOf = ({ source }: QueryResult): readonly string[] => source.columns.map(({ name }) => name);
const columnNames = (result: QueryResult): string => JSON.stringify(namesOf(result));
