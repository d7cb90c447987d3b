// The data grid: combines the painted canvas, the ARIA mirror and the cell editor into one component.
import { createRef, useId, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { AriaAttributes, KeyboardEvent, ReactElement, Ref, RefObject } from 'react';
import { flushSync } from 'react-dom';
import { AriaMirror, cellId } from './aria/aria-mirror.tsx';
import { mirrorOf } from './aria/aria-snapshot.ts';
import type { MirrorSnapshot } from './aria/aria-snapshot.ts';
import type { GridEditing } from './editing/cell-editing.ts';
import type { DraftRow, SortColumn } from './paint/frame.ts';
import type { ColumnPositions } from './layout/column-positions.ts';
import type { GridView } from './layout/geometry.ts';
import { GridController } from './grid-controller.ts';
import type { CellTints } from './cell-tints.ts';
import type { GridCompanion } from './companion.ts';
import { handleOf } from './grid-handle.ts';
import type { GridHandle } from './grid-handle.ts';
import type { GridStart } from './grid-start.ts';
import type { ColumnFormats, GridSource } from './grid-source.ts';
import { holdKey } from './editing/held-keys.ts';
import { actionFor } from './input/keyboard.ts';
import { useMenuSelectAll } from './input/menu-select-all.ts';
import { TypeAhead } from './editing/type-ahead.ts';
import { useCellEditing } from './editing/use-cell-editing.tsx';
import type { CellEditing, ElementRefs } from './editing/use-cell-editing.tsx';
import { isMac } from '../ui/is-mac.ts';
import { useLatest } from '../ui/use-latest.ts';
import type { GridElements } from './layout/viewport.ts';
import './grid.css';

export interface GridProps {
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
      className="grid"
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
              className="grid-mirror"
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
