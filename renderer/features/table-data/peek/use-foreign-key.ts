// Foreign keys of the grid’s cells: a card after the pointer has rested on one or on request, and following it.
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, RefObject } from 'react';
import type { GridHandle } from '../../../grid/grid-handle.ts';
import type { GridHit } from '../../../grid/layout/grid-space.ts';
import { notify } from '../../../state/store.ts';
import { useCommand } from '../../../workbench/commands/commands.ts';
import { parentOf, showParent } from '../../../workbench/relations/foreign-keys.ts';
import type { ParentRow } from '../../../workbench/relations/foreign-keys.ts';
import type { TableSource } from '../../../workbench/rows/table-source.ts';
import type { Peek } from './peek-card.tsx';

/** Delay, so that a pointer passing by shows nothing. */
const REST_MS = 600;
/** Keys that move the cursor or scroll: another cell may then be under the pointer. */
const MOVES = /^(?:Arrow|Page|Home|End|Tab|Enter)/;

interface ForeignKeyControl {
  readonly peek: Peek | null;
  readonly follow: () => void;
  readonly close: () => void;
  readonly pointer: {
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerLeave: () => void;
    readonly onPointerDownCapture: (event: PointerEvent) => void;
    readonly onKeyDownCapture: (event: KeyboardEvent) => void;
    readonly onWheel: () => void;
  };
}

export function useForeignKey(
  grid: RefObject<GridHandle | null>,
  source: TableSource | null,
  isActive: boolean,
): ForeignKeyControl {
  const [peek, setPeek] = useState<Peek | null>(null);
  const cellAt = (row: number, column: number): ParentRow | null =>
    source && grid.current ? parentAt(source, grid.current, row, column) : null;
  const current = (): ParentRow | null => {
    if (!grid.current) return null;
    const { row, column } = grid.current.cursor;
    const parent = cellAt(row, column);
    if (!parent)
      notify({
        tone: 'info',
        text: 'This cell does not refer to a row: its column has no foreign key, or its value is NULL.',
      });
    return parent;
  };
  const goTo = (parent: ParentRow): void => {
    setPeek(null);
    if (source) showParent(source.database, parent);
  };
  const close = (): void => {
    setPeek(null);
    if (peek?.hasFocus) grid.current?.focus();
  };
  const boxOf = (row: number, column: number): DOMRect => grid.current?.boxOf(row, column) ?? new DOMRect();

  useCommand(
    'grid.followKey',
    () => {
      const parent = peek?.parent ?? current();
      if (parent) goTo(parent);
    },
    isActive && source !== null,
  );
  useCommand(
    'grid.peekKey',
    () => {
      const parent = current();
      if (!parent || !grid.current) return;
      const { row, column } = grid.current.cursor;
      setPeek({ parent, anchor: boxOf(row, column), hasFocus: true });
    },
    isActive && source !== null,
  );
  const pointer = usePointer({ grid, source, peek, setPeek, goTo });
  return { peek, follow: () => peek && goTo(peek.parent), close, pointer };
}

interface PointerParts {
  readonly grid: RefObject<GridHandle | null>;
  readonly source: TableSource | null;
  readonly peek: Peek | null;
  readonly setPeek: (peek: Peek | null) => void;
  readonly goTo: (parent: ParentRow) => void;
}

/** Shows the card where the pointer rests, and follows a key with Ctrl+Shift+click. */
function usePointer({ grid, source, peek, setPeek, goTo }: PointerParts): ForeignKeyControl['pointer'] {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const rested = useRef('');
  useEffect(() => () => clearTimeout(timer.current), []);
  const hide = (): void => {
    clearTimeout(timer.current);
    if (peek && !peek.hasFocus) setPeek(null);
  };
  const cellAt = ({ row, column }: GridHit): ParentRow | null =>
    source && grid.current ? parentAt(source, grid.current, row, column) : null;
  return {
    onPointerMove({ clientX, clientY, buttons }) {
      const hit = grid.current?.hitAt(clientX, clientY);
      const cell = hit?.zone === 'cells' && buttons === 0 ? `${hit.row} ${hit.column}` : '';
      if (cell === rested.current) return;
      rested.current = cell;
      hide();
      if (!hit || cell === '' || !source?.columns[hit.column]?.link) return;
      timer.current = setTimeout(() => {
        const parent = rested.current === cell ? cellAt(hit) : null;
        if (!parent || !grid.current) return;
        setPeek({ parent, anchor: grid.current.boxOf(hit.row, hit.column), hasFocus: false });
      }, REST_MS);
    },
    onPointerLeave() {
      rested.current = '';
      clearTimeout(timer.current);
    },
    onKeyDownCapture({ key }) {
      if (!MOVES.test(key)) return;
      rested.current = '';
      hide();
    },
    onWheel() {
      rested.current = '';
      hide();
    },
    onPointerDownCapture(event) {
      hide();
      const isFollow = event.button === 0 && event.shiftKey && (event.ctrlKey || event.metaKey);
      const hit = isFollow ? grid.current?.hitAt(event.clientX, event.clientY) : null;
      const parent = hit?.zone === 'cells' ? cellAt(hit) : null;
      if (!parent) return;
      event.preventDefault();
      event.stopPropagation();
      goTo(parent);
    },
  };
}

function parentAt(source: TableSource, grid: GridHandle, row: number, column: number): ParentRow | null {
  const cell = grid.cell(row, column);
  const key = source.declaration(column)?.references;
  if (!cell || !key) return null;
  return parentOf(key, (name) => {
    const at = source.columns.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
    const packed = at + source.hiddenColumns;
    return at < 0 || cell.rows.isPreview(cell.index, packed) ? undefined : cell.rows.value(cell.index, packed);
  });
}
