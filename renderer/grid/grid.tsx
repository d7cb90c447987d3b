// The data grid: joins the painted canvas, the ARIA mirror and the cell editor into one component.
import { useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement, Ref, RefObject } from 'react';
import { AriaMirror, cellId } from './aria-mirror.tsx';
import { mirrorOf } from './aria-snapshot.ts';
import type { MirrorSnapshot } from './aria-snapshot.ts';
import type { EditSession, GridEditing } from './cell-editing.ts';
import { CellEditor } from './cell-editor.tsx';
import type { AfterEdit } from './cell-editor.tsx';
import { copyCells } from './clipboard.ts';
import type { CopyOutcome } from './clipboard.ts';
import type { DraftRow, SortMark } from './frame.ts';
import type { GridView } from './geometry.ts';
import { GridController } from './grid-controller.ts';
import type { GridHit } from './grid-controller.ts';
import type { CellReference, GridSource } from './grid-source.ts';
import { actionFor } from './keyboard.ts';
import { cursorOf, selectCell } from './selection.ts';
import type { Bounds, CellPosition, Selection } from './selection.ts';
import './grid.css';

export interface GridProps {
  readonly source: GridSource;
  readonly view: GridView;
  readonly sort: readonly SortMark[];
  /** For screen readers: “Rows of Track”. */
  readonly label: string;
  readonly ref?: Ref<GridHandle>;
  readonly editing?: GridEditing | null;
  /** A row being filled in, painted after the last. */
  readonly draft?: DraftRow | null;
  /** First row shown when the grid appears. */
  readonly initialTopRow?: number;
  onViewChange?(view: GridView): void;
  onSort?(column: number, additive: boolean): void;
  onSelectionChange?(grid: GridHandle): void;
  /** Scrolling, selection and rows have come to rest. */
  onSettled?(grid: GridHandle): void;
  onFirstRows?(): void;
  onError?(error: unknown): void;
  /** Text whose storing failed after its editor had gone. */
  onLostText?(message: string, text: string): void;
  /** Tab in the last cell of the last row. */
  onPastEnd?(): void;
  /** A sentence about something that was refused. */
  onRefused?(message: string): void;
}

/** What the owner can ask of the grid and do to it. Rows are positions, columns are those of the source. */
export interface GridHandle {
  focus(): void;
  readonly selection: Selection;
  readonly bounds: Bounds;
  readonly topRow: number;
  /** Position of the draft row, or −1. */
  readonly draftPosition: number;
  readonly cursor: { readonly row: number; readonly column: number };
  cell(row: number, column: number): CellReference | null;
  /** What lies at a point of the window: for context menus. */
  hitAt(clientX: number, clientY: number): GridHit;
  /** Source columns in the order they are shown. */
  readonly columns: readonly number[];
  goTo(row: number, column?: number): void;
  scrollToTopRow(row: number): void;
  editCell(): void;
  copy(withHeaders: boolean): Promise<CopyOutcome>;
}

interface OpenEditor {
  readonly position: CellPosition;
  readonly column: number;
  readonly session: EditSession;
  readonly typed: string | null;
  readonly minWidth: number;
}

const isMac = navigator.platform.startsWith('Mac');

export function Grid(props: GridProps): ReactElement {
  const gridId = useId();
  const elements = useElements();
  const latest = useLatest(props);
  const controllerRef = useRef<GridController | null>(null);
  const editorFrame = useRef<HTMLDivElement>(null);
  const [mirror, setMirror] = useState<MirrorSnapshot | null>(null);
  const [editor, setEditor] = useState<OpenEditor | null>(null);
  const openEditor = useLatest(editor);

  const placeEditor = (): void => {
    const controller = controllerRef.current;
    if (!controller || !editorFrame.current || !openEditor.current) return;
    const box = controller.boxOf(openEditor.current.position);
    editorFrame.current.style.transform = `translate(${box.x - 1}px, ${box.y - 1}px)`;
  };

  const beginEdit = (position: CellPosition, typed: string | null): void => {
    const controller = controllerRef.current;
    const editing = latest.current.editing;
    if (!controller || !editing) return;
    if (openEditor.current) return editorFrame.current?.querySelector('textarea')?.focus();
    const column = controller.layout.columns[position.place];
    if (column === undefined || position.row >= controller.bounds.rows) return;
    const cell = controller.cell(position.row, column);
    if (!cell && position.row !== controller.draftPosition) return; // the row is still being read
    const session = editing.begin({ row: position.row, column, cell });
    if (typeof session === 'string') return latest.current.onRefused?.(session);
    controller.reveal(position);
    setEditor({ position, column, session, typed, minWidth: controller.boxOf(position).width });
  };

  const closeEditor = (after: AfterEdit, refocus: boolean): void => {
    setEditor(null);
    const controller = controllerRef.current;
    if (!controller) return;
    if (after === 'down') controller.perform({ kind: 'step', direction: 'down', extend: false });
    else if (after !== 'stay' && !controller.perform({ kind: after }) && after === 'next') latest.current.onPastEnd?.();
    if (refocus) focusGrid(elements.layer);
  };

  useLayoutEffect(() => {
    const { canvas, scroller, sizer, layer } = elements;
    const controller = new GridController(
      { canvas: canvas.current!, scroller: scroller.current!, sizer: sizer.current!, layer: layer.current! },
      latest.current.source,
      latest.current.view,
      {
        onSelectionChange: () => latest.current.onSelectionChange?.(handleOf(controller, elements.layer, beginEdit)),
        onSettled: () => {
          setMirror(mirrorOf(controller));
          latest.current.onSettled?.(handleOf(controller, elements.layer, beginEdit));
        },
        onFrame: placeEditor,
        onEdit: beginEdit,
        onFirstRows: () => latest.current.onFirstRows?.(),
        onError: (error) => latest.current.onError?.(error),
        onSort: (column, additive) => latest.current.onSort?.(column, additive),
        onViewChange: (view) => latest.current.onViewChange?.(view),
      },
    );
    controllerRef.current = controller;
    if (latest.current.initialTopRow) controller.scrollToTopRow(latest.current.initialTopRow);
    return () => controller.dispose();
    // The controller lives as long as the grid: it takes what changes from `latest` and from the effects below.
    // eslint-disable-next-line react/exhaustive-deps
  }, []);
  useLayoutEffect(() => controllerRef.current?.setSource(props.source), [props.source]);
  useLayoutEffect(() => controllerRef.current?.setView(props.view), [props.view]);
  useLayoutEffect(() => controllerRef.current?.setSort(props.sort), [props.sort]);
  useLayoutEffect(() => controllerRef.current?.setDraft(props.draft ?? null), [props.draft]);
  useLayoutEffect(placeEditor);
  useImperativeHandle(props.ref, () => handleOf(controllerRef.current!, elements.layer, beginEdit));

  const cursor = mirror?.cursor;
  const cursorIsThere =
    mirror?.rows.some((row) => row.position === cursor?.row) && mirror.headers.some((header) => header.place === cursor?.place);
  return (
    <div className="grid" data-scope="grid">
      <canvas ref={elements.canvas} className="grid-canvas" aria-hidden="true" />
      <div ref={elements.scroller} className="grid-scroller" tabIndex={-1}>
        <div ref={elements.sizer} className="grid-sizer">
          <div ref={elements.layer} className="grid-layer">
            <div
              id={gridId}
              role="grid"
              className="grid-mirror"
              tabIndex={0}
              aria-label={props.label}
              aria-multiselectable
              aria-readonly={!props.editing}
              aria-rowcount={(mirror?.rowCount ?? 0) + 1}
              aria-colcount={(mirror?.placeCount ?? 0) + 1}
              aria-activedescendant={cursor && cursorIsThere ? cellId(gridId, cursor.row, cursor.place) : undefined}
              onFocus={() => controllerRef.current?.setFocused(true)}
              onBlur={() => controllerRef.current?.setFocused(false)}
              onKeyDown={(event) => controllerRef.current && handleKey(event, controllerRef.current)}
            >
              {mirror && <AriaMirror gridId={gridId} snapshot={mirror} />}
            </div>
            {editor && (
              <CellEditor
                key={`${editor.position.row}:${editor.column}`}
                session={editor.session}
                typed={editor.typed}
                minWidth={editor.minWidth}
                label={`Edit ${props.source.columns[editor.column]?.name ?? ''}`}
                frameRef={editorFrame}
                onClose={closeEditor}
                onLost={(message, text) => latest.current.onLostText?.(message, text)}
                onUnreadable={(error) => {
                  closeEditor('stay', true);
                  props.onError?.(error);
                }}
              />
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

interface ElementRefs {
  readonly canvas: RefObject<HTMLCanvasElement | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly sizer: RefObject<HTMLDivElement | null>;
  readonly layer: RefObject<HTMLDivElement | null>;
}

function useElements(): ElementRefs {
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const sizer = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  return { canvas, scroller, sizer, layer };
}

function useLatest<T>(value: T): RefObject<T> {
  const ref = useRef(value);
  useLayoutEffect(() => {
    ref.current = value;
  });
  return ref;
}

function focusGrid(layer: RefObject<HTMLElement | null>): void {
  layer.current?.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true });
}

function handleKey(event: KeyboardEvent, controller: GridController): void {
  if (event.defaultPrevented || event.nativeEvent.isComposing) return;
  const command = isMac ? event.metaKey : event.ctrlKey;
  const foreign = isMac ? event.ctrlKey : event.metaKey;
  const action = actionFor({ key: event.key, command, shift: event.shiftKey, alt: event.altKey || foreign });
  if (action && controller.perform(action)) event.preventDefault();
}

function handleOf(
  controller: GridController,
  layer: RefObject<HTMLElement | null>,
  beginEdit: (position: CellPosition, typed: string | null) => void,
): GridHandle {
  return {
    focus: () => focusGrid(layer),
    get selection() {
      return controller.selection;
    },
    get bounds() {
      return controller.bounds;
    },
    get topRow() {
      return controller.topRow;
    },
    get draftPosition() {
      return controller.draftPosition;
    },
    get cursor() {
      const { row, place } = cursorOf(controller.selection);
      return { row, column: controller.layout.columns[place] ?? 0 };
    },
    get columns() {
      return controller.layout.columns;
    },
    cell: (row, column) => controller.cell(row, column),
    hitAt: (clientX, clientY) => controller.hitAt(clientX, clientY),
    goTo(row, column) {
      const place = column === undefined ? -1 : controller.layout.columns.indexOf(column);
      controller.select(selectCell({ row, place: place >= 0 ? place : cursorOf(controller.selection).place }));
    },
    scrollToTopRow: (row) => controller.scrollToTopRow(row),
    editCell: () => beginEdit(cursorOf(controller.selection), null),
    copy(withHeaders) {
      const { source, selection, bounds, layout } = controller;
      const stored = { rows: bounds.rows - (controller.draft ? 1 : 0), places: bounds.places };
      return copyCells({ source, selection, bounds: stored, columns: layout.columns, withHeaders });
    },
  };
}
