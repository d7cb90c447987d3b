// Finds the rows of a result or a view that contain a text. The worker keeps them all, and finds the matching rows at once.
import { lastWhere } from '#shared/binary-search.ts';
import { cellTest, TestedPage, type CellCondition } from '#shared/cell-test.ts';
import type { Extent, ReaderInfo } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import type { GridSource } from '../../grid/grid-source.ts';
import type { Found, RowFinder } from './row-finder.ts';
import { conditionOf, type TextSearch } from './text-search.ts';

type KeptRows = Pick<GridSource, 'columns' | 'hiddenColumns' | 'read' | 'subscribe'> & { readonly info: ReaderInfo };

export class KeptRowsFinder implements RowFinder {
  readonly #source: KeptRows;
  readonly #condition: CellCondition;
  /** Ascending. Null: the rows have changed since the search. */
  #positions: Uint32Array | null;
  readonly #stopListening: () => void;

  private constructor(source: KeptRows, condition: CellCondition, positions: Uint32Array) {
    this.#source = source;
    this.#condition = condition;
    this.#positions = positions;
    // More rows than were known leave the found positions as they are.
    this.#stopListening = source.subscribe(({ kind }) => {
      if (kind !== 'extent') this.#positions = null;
    });
  }

  /** @throws AppError `unavailable` while rows are still being read, `stopped`, `invalid` if the worker does not keep the rows */
  static async open(source: KeptRows, search: TextSearch): Promise<KeptRowsFinder> {
    const condition = conditionOf(search);
    return new KeptRowsFinder(source, condition, await positionsIn(source, condition));
  }

  get extent(): Extent {
    return { rows: this.#positions?.length ?? 0, exact: this.#positions !== null };
  }

  async next(row: number): Promise<Found | null> {
    const positions = await this.#current();
    const index = firstFrom(positions, row);
    const hasWrapped = index === positions.length;
    return this.#foundAt(positions, hasWrapped ? 0 : index, hasWrapped);
  }

  async previous(row: number): Promise<Found | null> {
    const positions = await this.#current();
    const index = firstFrom(positions, row);
    const hasWrapped = index === 0;
    return this.#foundAt(positions, (hasWrapped ? positions.length : index) - 1, hasWrapped);
  }

  close(): void {
    this.#stopListening();
  }

  async #current(): Promise<Uint32Array> {
    return (this.#positions ??= await positionsIn(this.#source, this.#condition));
  }

  async #foundAt(positions: Uint32Array, index: number, hasWrapped: boolean): Promise<Found | null> {
    const row = positions[index];
    if (row === undefined) return null;
    const page = await this.#source.read(row, 1);
    const column =
      page.rows.rowCount === 0 ? null : foundColumn(new TestedPage(page.rows), this.#source, this.#condition);
    return { row, column, number: index + 1, hasWrapped };
  }
}

async function positionsIn({ info: { reader } }: KeptRows, condition: CellCondition): Promise<Uint32Array> {
  return (await client.call('rows.containing', { reader, condition })).positions;
}

/** The first column in which the first row of the page has what is searched for, as far as its values are loaded. */
export function foundColumn(
  page: TestedPage,
  { columns, hiddenColumns }: Pick<GridSource, 'columns' | 'hiddenColumns'>,
  condition: CellCondition,
): number | null {
  const isFound = cellTest(condition);
  const column = columns.findIndex((_column, at) => isFound(page, 0, at + hiddenColumns));
  return column < 0 ? null : column;
}

/** The index of the first position at `row` or below it; their number if there is none. */
const firstFrom = (positions: Uint32Array, row: number): number =>
  lastWhere(positions.length, (index) => positions[index]! < row) + 1;
