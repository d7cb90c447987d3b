// How the user has arranged and scrolled the results of a tab: outlives a new run of the same columns, an absence of
// the tab, and a restart.
import { PLAIN_VIEW } from '../../grid/layout/geometry.ts';
import { keepResultColumns, resultColumns } from '../../workbench/column-memory.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import type { QueryResult } from './query-view.ts';

export class GridMemory {
  readonly #views = new Map<string, GridView>();
  #scrolled: { readonly result: number; readonly topRow: number } | null = null;

  view(result: QueryResult): GridView {
    const { database } = result.source;
    return this.#views.get(columnNames(result)) ?? resultColumns(database, namesOf(result)) ?? PLAIN_VIEW;
  }

  keepView(result: QueryResult, view: GridView): void {
    const { database } = result.source;
    this.#views.set(columnNames(result), view);
    keepResultColumns(database, namesOf(result), view);
  }

  topRow(result: QueryResult): number {
    return this.#scrolled?.result === result.id ? this.#scrolled.topRow : 0;
  }

  keepTopRow(result: QueryResult, topRow: number): void {
    this.#scrolled = { result: result.id, topRow };
  }
}

const namesOf = ({ source }: QueryResult): readonly string[] => source.columns.map(({ name }) => name);
const columnNames = (result: QueryResult): string => JSON.stringify(namesOf(result));
