// Pages of the rows a change consists of, read when they come into view, of which the most recently used are kept.
import { useEffect, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError, RowDifference, RowDifferencePage } from '#shared/protocol/index.ts';
import { DifferenceColumns } from './difference-columns.ts';

export type ReadDifferences = (start: number, count: number) => Promise<RowDifferencePage>;

const PAGE_ROWS = 200;
const KEPT_PAGES = 30;

export class DifferencePages {
  readonly columns = new DifferenceColumns();
  readonly #read: ReadDifferences;
  readonly #onNews: () => void;
  readonly #pages = new Map<number, readonly RowDifference[] | null>();
  total: number | null = null;
  error: AppError | null = null;

  constructor(read: ReadDifferences, onNews: () => void) {
    this.#read = read;
    this.#onNews = onNews;
  }

  row(index: number): RowDifference | undefined {
    return this.#pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS];
  }

  /** Reads what is missing of the rows `from` to `to`. */
  want(from: number, to: number): void {
    const last = Math.floor(Math.max(from, to - 1) / PAGE_ROWS);
    for (let page = Math.floor(from / PAGE_ROWS); page <= last; page++) {
      if (this.#pages.has(page)) this.#touch(page);
      else void this.#load(page);
    }
  }

  #touch(page: number): void {
    const rows = this.#pages.get(page)!;
    this.#pages.delete(page);
    this.#pages.set(page, rows);
  }

  async #load(page: number): Promise<void> {
    this.#pages.set(page, null);
    try {
      const { rows, total } = await this.#read(page * PAGE_ROWS, PAGE_ROWS);
      this.total = total;
      this.columns.learn(rows);
      this.#pages.set(page, rows);
      for (const key of [...this.#pages.keys()].slice(0, -KEPT_PAGES)) this.#pages.delete(key);
    } catch (thrown) {
      // Kept as a failed page: requesting it again with each frame would not help.
      this.error = toAppError(thrown);
    }
    this.#onNews();
  }
}

/** `read` must stay the same function as long as it reads the same change. */
export function useDifferencePages(read: ReadDifferences): DifferencePages {
  const [, setNews] = useState(0);
  const [held, setHeld] = useState<{ readonly read: ReadDifferences; readonly pages: DifferencePages } | null>(null);
  const hear = (): void => setNews((count) => count + 1);
  const current = held?.read === read ? held : { read, pages: new DifferencePages(read, hear) };
  if (current !== held) setHeld(current);
  useEffect(() => current.pages.want(0, 1), [current.pages]);
  return current.pages;
}
