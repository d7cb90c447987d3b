// How the user has arranged and scrolled the results of a tab: outlives a new run of the same columns and an absence of the tab.
import { PLAIN_VIEW } from '../../grid/layout/geometry.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import type { QueryResult } from './query-view.ts';

export class GridMemory {
  readonly #views = new Map<string, GridView>();
  #scrolled: { readonly result: number; readonly topRow: number } | null = null;

  view(result: QueryResult): GridView {
    return this.#views.get(columnNames(result)) ?? PLAIN_VIEW;
  }

  keepView(result: QueryResult, view: GridView): void {
    this.#views.set(columnNames(result), view);
  }

  topRow(result: QueryResult): number {
    return this.#scrolled?.result === result.id ? this.#scrolled.topRow : 0;
  }

  keepTopRow(result: QueryResult, topRow: number): void {
    this.#scrolled = { result: result.id, topRow };
  }
}

const columnNames = ({ source }: QueryResult): string => JSON.stringify(source.columns.map(({ name }) => name));
