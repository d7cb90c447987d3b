// Opens an editor over a row that is still being read: keys wait until the row is loaded.
import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { GridController } from '../grid-controller.ts';
import { cursorOf } from '../input/selection.ts';
import type { CellPosition } from '../input/selection.ts';
import type { TypeAhead } from './type-ahead.ts';
import { useLatest } from '../../ui/use-latest.ts';

interface AwaitedRow {
  begin(position: CellPosition, typed: string | null): void;
  look(): void;
  giveUp(): void;
}

/** Opens a requested editor as soon as its row has been read. */
export function useAwaitedRow(
  controller: RefObject<GridController | null>,
  ahead: TypeAhead,
  begin: (typed: string | null) => void,
): AwaitedRow {
  const end = useRef<(() => void) | null>(null);
  const source = useRef<GridController['source'] | null>(null);
  const latest = useLatest(begin);
  const giveUp = (): void => {
    if (!end.current) return;
    ahead.drop();
    end.current();
    end.current = null;
  };
  const giveUpLatest = useLatest(giveUp);
  useLayoutEffect(() => () => giveUpLatest.current(), [giveUpLatest]);
  return {
    begin(position, typed) {
      const grid = controller.current;
      if (!grid || end.current || isPastEnd(grid, position.row) || position.displayIndex >= grid.bounds.displayColumns)
        return;
      source.current = grid.source;
      grid.reveal(position);
      grid.requestPaint();
      ahead.during(new Promise<void>((resolve) => (end.current = resolve)));
      ahead.first(() => latest.current(typed));
    },
    look() {
      const grid = controller.current;
      if (!grid || !end.current) return;
      const { row } = cursorOf(grid.selection);
      if (grid.source !== source.current || isPastEnd(grid, row)) return giveUp();
      if (row !== grid.draftPosition && !(grid.row(row) && grid.isReady(row))) return;
      end.current();
      end.current = null;
    },
    giveUp,
  };
}

/** Rows that have just been opened on a server count as zero rows until the first rows are read. */
const isPastEnd = ({ bounds, source }: GridController, row: number): boolean =>
  row >= bounds.rows && source.extent.exact;
