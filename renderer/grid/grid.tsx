// The data grid: combines the painted canvas, the ARIA mirror and the cell editor into one component.
import { createRef, useId, useImperativeHandle, useLayoutEffect, useRef, useState, useEffect, memo } from 'react';
import type { AriaAttributes, KeyboardEvent, ReactElement, Ref, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { mirrorOf } from './aria/aria-snapshot.ts';
import type { MirrorSnapshot, MirrorCell, MirrorRow } from './aria/aria-snapshot.ts';
import type { GridEditing } from './editing/cell-editing.ts';
import { HEADER_HEIGHT } from './layout/geometry.ts';
import type { DraftRow, SortColumn } from './paint/frame.ts';
import type { ColumnPositions } from './layout/column-positions.ts';
import type { GridView } from './layout/geometry.ts';
import { GridController } from './grid-controller.ts';
import type { CellTints } from './cell-tints.ts';
import type { GridCompanion, CellDifference } from './companion.ts';
import { handleOf } from './grid-handle.ts';
import type { GridHandle } from './grid-handle.ts';
import type { GridStart } from './grid-start.ts';
import type { ColumnFormats, GridSource } from './grid-source.ts';
import { actionFor } from './input/keyboard.ts';
import { TypeAhead } from './editing/type-ahead.ts';
import { useCellEditing } from './editing/use-cell-editing.tsx';
import type { CellEditing, ElementRefs } from './editing/use-cell-editing.tsx';
import { isMac } from '../ui/is-mac.ts';
import { useLatest } from '../ui/use-latest.ts';
import type { GridElements } from './layout/viewport.ts';
import type { UnsavedMark } from './unsaved-rows.ts';
import './grid.css';

interface GridProps {
  readonly source: GridSource;
  readonly view: GridView;
  readonly sort: readonly SortColumn[];
  /** Label for screen readers: “Rows of Track”. */
  readonly label: string;
  readonly ref?: Ref<GridHandle>;
  readonly editing?: GridEditing | null;
  /** A row being filled in, painted after the last one. */
  readonly draft?: DraftRow | null;
  /** Colors of cells; the same function as long as the colors are the same. */
  readonly tints?: CellTints | null;
  /** Other forms of the cells; the same list as long as the formats are the same. */
  readonly formats?: ColumnFormats;
  /** Connects to a grid that shows the same rows from elsewhere. Must not change while the grid is on screen. */
  readonly companion?: GridCompanion;
  readonly start?: GridStart;
  onViewChange?(view: GridView): void;
  /** Columns are in other places on screen. Called at the rate of frames while the grid scrolls sideways. */
  onColumnsPlaced?(places: ColumnPositions): void;
  onSort?(column: number, additive: boolean): void;
  onSelectionChange?(grid: GridHandle): void;
  /** Scrolling, selection and rows have come to rest. */
  onSettled?(grid: GridHandle): void;
  onFirstRows?(): void;
  onError?(error: unknown): void;
  /** Receives text that failed to be stored after its editor had closed. */
  onLostText?(message: string, text: string): void;
  /** Tab was pressed in the last cell of the last row; keys wait until the promise settles. */
  onPastEnd?(): Promise<unknown>;
  /** Receives a sentence about a refused action. */
  onRefused?(message: string): void;
}

const NO_FORMATS: ColumnFormats = [];

export function Grid(props: GridProps): ReactElement {
  const gridId = useId();
  const [elements] = useState(createElementRefs);
  const latest = useLatest(props);
  const [mirror, setMirror] = useState<MirrorSnapshot | null>(null);
  const controller = useRef<GridController | null>(null);
  const [ahead] = useState(() => new TypeAhead((step) => flushSync(step)));
  const editing = useCellEditing(controller, elements, latest, ahead);
  const actions = useLatest(editing);

  const [failure, setFailure] = useState<{ readonly error: unknown } | null>(null);
  useController(controller, elements, latest, actions, ahead, setMirror, setFailure);
  useMenuSelectAll(controller, elements.layer);
  useLayoutEffect(() => controller.current?.setFormats(props.formats ?? NO_FORMATS), [props.formats]);
  useLayoutEffect(() => controller.current?.setSource(props.source), [props.source]);
  useLayoutEffect(() => controller.current?.setView(props.view), [props.view]);
  useLayoutEffect(() => controller.current?.decorations.setSort(props.sort), [props.sort]);
  useLayoutEffect(() => controller.current?.decorations.setDraft(props.draft ?? null), [props.draft]);
  useLayoutEffect(() => controller.current?.decorations.setTints(props.tints ?? null), [props.tints]);
  useImperativeHandle(props.ref, () => handleOf(controller.current!, elements.layer, actions, ahead), [
    elements,
    actions,
    ahead,
  ]);
  // Painting happens outside React: throwing here passes the error to the error boundary.
  if (failure) throw failure.error;

  return (
    <div
      className="shrink-x shrink-y full-width full-height anchor clip grid"
      data-scope="grid"
      onFocus={() => controller.current?.decorations.setFocused(true)}
      onBlur={({ currentTarget, relatedTarget }) =>
        controller.current?.decorations.setFocused(currentTarget.contains(relatedTarget))
      }
      onPointerDownCapture={() => ahead.noteInput()}
      onKeyDownCapture={(event) => holdKey(event, event.currentTarget, ahead)}
    >
      <canvas ref={elements.canvas} className="full-width full-height grid-canvas" aria-hidden="true" />
      <div ref={elements.scroller} className="grid-scroller" tabIndex={-1}>
        <div ref={elements.sizer} className="grid-sizer">
          <div ref={elements.layer} className="grid-layer">
            <div
              role="grid"
              className="quiet-focus grid-mirror"
              tabIndex={0}
              aria-label={props.label}
              aria-multiselectable
              aria-readonly={!props.editing}
              {...mirrorAttributes(gridId, mirror)}
              onKeyDown={(event) => controller.current && handleKey(event, controller.current)}
            >
              {mirror && <AriaMirror gridId={gridId} snapshot={mirror} />}
            </div>
            {editing.editor}
          </div>
        </div>
      </div>
    </div>
  );
}

/** Creates the controller when the elements exist, and connects its events to props and editing. */
function useController(
  controller: RefObject<GridController | null>,
  elements: ElementRefs,
  latest: RefObject<GridProps>,
  actions: RefObject<CellEditing>,
  ahead: TypeAhead,
  setMirror: (mirror: MirrorSnapshot) => void,
  setFailure: (failure: { readonly error: unknown }) => void,
): void {
  useLayoutEffect(() => {
    const { companion, source, view, formats = NO_FORMATS } = latest.current;
    const created: GridController = new GridController(attached(elements), source, view, formats, {
      onSelectionChange: () => {
        companion?.selected();
        latest.current.onSelectionChange?.(handleOf(created, elements.layer, actions, ahead));
      },
      onScrolled: () => companion?.scrolled(),
      onSettled: () => {
        try {
          setMirror(mirrorOf(created));
          latest.current.onSettled?.(handleOf(created, elements.layer, actions, ahead));
        } catch (error) {
          setFailure({ error });
        }
      },
      onFrame: () => actions.current.displayIndex(),
      onEdit: (position, typed) => actions.current.begin(position, typed),
      onRowsMoved: () => actions.current.rowsMoved(),
      onSearch: (search) => ahead.during(search),
      onRowsChanged: () => {
        companion?.rowsChanged();
        actions.current.rowsChanged();
      },
      onFirstRows: () => latest.current.onFirstRows?.(),
      onError: (error) => {
        actions.current.rowsFailed();
        latest.current.onError?.(error);
      },
      onFailed: (error) => setFailure({ error }),
      afterKeys: (step) => ahead.afterKeys(step),
      onSort: (column, additive) => latest.current.onSort?.(column, additive),
      onViewChange: (view) => latest.current.onViewChange?.(view),
      onColumnsPlaced: (places) => latest.current.onColumnsPlaced?.(places),
    });
    controller.current = created;
    if (companion) {
      created.companion = companion;
      created.decorations.setDifferences(companion.differenceAt);
      companion.join(created);
    }
    created.begin(latest.current.start ?? { topRow: 0 });
    return () => {
      companion?.join(null);
      created.dispose();
    };
  }, [controller, elements, latest, actions, ahead, setMirror, setFailure]);
}

function mirrorAttributes(gridId: string, mirror: MirrorSnapshot | null): AriaAttributes {
  const isThere =
    mirror?.rows.some((row) => row.position === mirror.cursor.row) &&
    mirror.headers.some((header) => header.displayIndex === mirror.cursor.displayIndex);
  return {
    'aria-rowcount': (mirror?.rowCount ?? 0) + 1,
    'aria-colcount': (mirror?.columnCount ?? 0) + 1,
    'aria-activedescendant':
      mirror && isThere ? cellId(gridId, mirror.cursor.row, mirror.cursor.displayIndex) : undefined,
  };
}

function createElementRefs(): ElementRefs {
  return { canvas: createRef(), scroller: createRef(), sizer: createRef(), layer: createRef() };
}

const attached = ({ canvas, scroller, sizer, layer }: ElementRefs): GridElements => ({
  canvas: canvas.current!,
  scroller: scroller.current!,
  sizer: sizer.current!,
  layer: layer.current!,
});

function handleKey(event: KeyboardEvent, controller: GridController): void {
  if (event.defaultPrevented || event.nativeEvent.isComposing) return;
  const command = isMac ? event.metaKey : event.ctrlKey;
  const foreign = isMac ? event.ctrlKey : event.metaKey;
  const action = actionFor({ key: event.key, command, shift: event.shiftKey, alt: event.altKey || foreign });
  if (action && controller.perform(action)) event.preventDefault();
}

/** @param layer contains the element that has the focus when the grid has it */
function useMenuSelectAll(controller: RefObject<GridController | null>, layer: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const select = (event: Event): void => {
      const { activeElement, body } = document;
      if (
        event.target !== body ||
        activeElement?.getAttribute('role') !== 'grid' ||
        !layer.current?.contains(activeElement)
      )
        return;
      if (controller.current?.perform({ kind: 'select-all' })) event.preventDefault();
    };
    document.addEventListener('selectstart', select);
    return () => document.removeEventListener('selectstart', select);
  }, [controller, layer]);
}

/** Holds the key back if the key has to wait. */
function holdKey(event: KeyboardEvent, root: HTMLElement, ahead: TypeAhead): void {
  const { nativeEvent: native } = event;
  if (MODIFIERS.has(event.key)) return;
  ahead.noteInput();
  if (!ahead.isBusy || native.isComposing) return;
  if (ahead.isLate && (event.ctrlKey || event.metaKey || event.altKey || /^F\d/.test(event.key))) return;
  // The choices under a text that could not be stored are separate buttons.
  if (event.target instanceof HTMLButtonElement) return;
  event.preventDefault();
  event.stopPropagation();
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = native;
  ahead.inTurn(() => press(root, { key, code, ctrlKey, metaKey, altKey, shiftKey }));
}

const MODIFIERS: ReadonlySet<string> = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock']);

type Key = Required<Pick<KeyboardEventInit, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>>;

function press(root: HTMLElement, key: Key): void {
  const field = root.querySelector<HTMLTextAreaElement>('[data-cell-editor] textarea');
  const target = field ?? root.querySelector<HTMLElement>('[role=grid]');
  if (!target) return;
  target.focus({ preventScroll: true });
  const event = new KeyboardEvent('keydown', { ...key, bubbles: true, cancelable: true });
  if (target.dispatchEvent(event) && target === field) typeInto(field, key);
}

const EDITS: Readonly<Record<string, string>> = { Backspace: 'delete', Delete: 'forwardDelete' };
const COMMANDS: Readonly<Record<string, string>> = {
  a: 'selectAll',
  c: 'copy',
  x: 'cut',
  v: 'paste',
  z: 'undo',
  y: 'redo',
};

/** Repeats the browser's default action for an unhandled key; the browser does not perform it for synthetic events. */
function typeInto(field: HTMLTextAreaElement, { key, ctrlKey, metaKey, altKey, shiftKey }: Key): void {
  const isAltGr = ctrlKey && altKey;
  if ((ctrlKey || metaKey) && !isAltGr) {
    const command = shiftKey ? null : COMMANDS[key.toLowerCase()];
    if (command) document.execCommand(command);
  } else if ([...key].length === 1) document.execCommand('insertText', false, key);
  else if (key === 'Enter') document.execCommand('insertText', false, '\n');
  else if (EDITS[key]) document.execCommand(EDITS[key]);
  else moveCaret(field, key, shiftKey);
}

function moveCaret(field: HTMLTextAreaElement, key: string, extend: boolean): void {
  const { selectionStart: start, selectionEnd: end, value } = field;
  const isBackward = field.selectionDirection === 'backward';
  const head = isBackward ? start : end;
  const lineStart = value.lastIndexOf('\n', head - 1) + 1;
  const lineEnd = (value.indexOf('\n', head) + value.length + 1) % (value.length + 1);
  const isPlain = start === end || extend;
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: isPlain ? Math.max(0, head - 1) : start,
    ArrowRight: isPlain ? Math.min(value.length, head + 1) : end,
    Home: lineStart,
    End: lineEnd,
  };
  const to = targets[key];
  if (to === undefined) return;
  const anchor = extend ? (isBackward ? end : start) : to;
  field.setSelectionRange(Math.min(anchor, to), Math.max(anchor, to), to < anchor ? 'backward' : 'forward');
}

// The grid for screen readers and tests: the visible cells as an invisible ARIA grid, exactly above the painted ones.

const cellId = (gridId: string, row: number, displayIndex: number): string => `${gridId}-${row}-${displayIndex}`;

function AriaMirror({
  gridId,
  snapshot,
}: {
  readonly gridId: string;
  readonly snapshot: MirrorSnapshot;
}): ReactElement {
  return (
    <>
      <div role="row" aria-rowindex={1} className="grid-mirror-row" style={{ top: 0, height: HEADER_HEIGHT }}>
        <div
          role="columnheader"
          aria-colindex={1}
          className="grid-mirror-cell"
          style={{ left: 0, width: snapshot.gutter }}
        >
          Row
        </div>
        {snapshot.headers.map((header) => (
          <div
            key={header.displayIndex}
            role="columnheader"
            className="grid-mirror-cell"
            aria-colindex={header.displayIndex + 2}
            aria-sort={header.sort}
            data-column={header.name}
            style={{ left: header.x, width: header.width }}
          >
            {header.label}
          </div>
        ))}
      </div>
      {snapshot.rows.map((row) => (
        <Row key={row.position} gridId={gridId} row={row} gutter={snapshot.gutter} />
      ))}
    </>
  );
}

const DIFFERENCE_LABELS: Readonly<Record<CellDifference, string>> = {
  content: 'differs from the other side',
  order: 'at another position on the other side',
};

const UNSAVED_LABELS: Readonly<Record<UnsavedMark, string>> = {
  changed: 'changed, not saved yet',
  conflict: 'changed, not saved yet, and changed in the database in the meantime',
  deleted: 'deleted, not saved yet',
  added: 'new row, not saved yet',
};

function descriptionOf({ difference, unsaved, tint }: MirrorCell): string | undefined {
  if (unsaved) return UNSAVED_LABELS[unsaved];
  return difference ? DIFFERENCE_LABELS[difference] : (tint ?? undefined);
}

interface RowProps {
  readonly gridId: string;
  readonly row: MirrorRow;
  readonly gutter: number;
}

const Row = memo(
  function Row({ gridId, row, gutter }: RowProps): ReactElement {
    return (
      <div
        role="row"
        aria-rowindex={row.position + 2}
        aria-busy={row.isLoading || undefined}
        className="grid-mirror-row"
        data-row={row.position}
        data-draft={row.isDraft || undefined}
        style={{ top: row.y, height: row.height }}
      >
        <div role="rowheader" aria-colindex={1} className="grid-mirror-cell" style={{ left: 0, width: gutter }}>
          {row.isDraft ? 'New row' : row.position + 1}
        </div>
        {row.cells.map((cell) => (
          <div
            key={cell.displayIndex}
            id={cellId(gridId, row.position, cell.displayIndex)}
            role="gridcell"
            className="grid-mirror-cell"
            aria-colindex={cell.displayIndex + 2}
            aria-selected={cell.selected}
            data-row={row.position}
            data-column={cell.name}
            data-storage-class={cell.storageClass ?? undefined}
            data-difference={cell.difference ?? undefined}
            data-unsaved={cell.unsaved ?? undefined}
            data-tint={cell.tint ?? undefined}
            aria-description={descriptionOf(cell)}
            style={{ left: cell.x, width: cell.width }}
          >
            {cell.text}
          </div>
        ))}
      </div>
    );
  },
  (before, after) =>
    before.gridId === after.gridId && before.gutter === after.gutter && isSameRow(before.row, after.row),
);

const isSameRow = (a: MirrorRow, b: MirrorRow): boolean =>
  a.position === b.position &&
  a.y === b.y &&
  a.height === b.height &&
  a.isDraft === b.isDraft &&
  a.isLoading === b.isLoading &&
  a.cells.length === b.cells.length &&
  a.cells.every((cell, index) => isSameCell(cell, b.cells[index]!));

const isSameCell = (a: MirrorCell, b: MirrorCell): boolean =>
  a.displayIndex === b.displayIndex &&
  a.name === b.name &&
  a.text === b.text &&
  a.storageClass === b.storageClass &&
  a.selected === b.selected &&
  a.difference === b.difference &&
  a.unsaved === b.unsaved &&
  a.tint === b.tint &&
  a.x === b.x &&
  a.width === b.width;
