// One result in the grid: its rows can be sorted, filtered, copied, and edited where they come
// from one table; selection feeds the details panel.
import { useEffect, useMemo, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { ResultArrangement, ResultFilterTerm } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { commandItem, useCommand } from '../../workbench/commands/commands.ts';
import { editInDetails } from '../../workbench/cells/edit-in-details.ts';
import { copyCells } from '../../workbench/cells/copy-cells.ts';
import { useCopyCommands } from '../../workbench/cells/use-copy-commands.ts';
import { useCopyAs } from '../../workbench/cells/copy-as.ts';
import { copyEntries } from '../../workbench/cells/copy-menu.ts';
import { shownAs } from '../../workbench/cells/column-format.ts';
import type { ColumnFormatControl } from '../../workbench/columns/use-column-formats.tsx';
import { resultChoices, useExportOffer } from '../../workbench/files/export-request.ts';
import { selectionSummary } from '../../workbench/cells/selection-summary.ts';
import { noteMapRow } from '../../workbench/map/map-state.ts';
import { sideCompanion } from '../../workbench/relations/side-links.ts';
import { useSortCommands } from '../../workbench/columns/use-sort-commands.ts';
import { useColumnCommands } from '../../workbench/columns/use-column-commands.ts';
import { notifyFailure } from '../../state/databases.ts';
import { notify, setDetail, setTabStatus, useStore } from '../../state/store.ts';
import type { GridView } from '../../grid/layout/geometry.ts';
import { useArrangedColumns } from '../../workbench/columns/use-arranged-columns.tsx';
import { sortedBy, withTerm } from '../../workbench/columns/sort-terms.ts';
import { Grid } from '../../grid/grid.tsx';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { ContextMenu, type MenuEntry, type MenuItem } from '../../ui/menu.tsx';
import { formatCount } from '../../ui/format.ts';
import { useLatest } from '../../ui/use-latest.ts';
import type { GridMemory } from './grid-memory.ts';
import { useResultFormats } from './result-formats.ts';
import { cutCells, setCellsNull } from './empty-cells.ts';
import { cellForDetails, editingOf, storedCell, useEditableColumns } from './result-editing.ts';
import type { GridEditing } from '../../grid/editing/cell-editing.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import { isArranged, type QueryResult } from './query-view.ts';
import type { ResultEditing } from './result-key-offers.ts';
import type { CellTints } from '../../grid/cell-tints.ts';
import { headerRect, NO_POSITIONS, type ColumnPositions } from '../../grid/layout/column-positions.ts';
import { ColorCard } from '../../workbench/color-rules/color-card.tsx';
import { cellTints } from '../../workbench/color-rules/cell-tints.ts';
import { rulesOf, withRules, type ColorRule, type ColorRules } from '../../workbench/color-rules/color-rule.ts';
import { useTableColors } from '../../workbench/columns/column-memory.ts';
import type { ResultSource } from '../../workbench/rows/result-source.ts';
import { Square } from 'lucide-react';
import { toAppError } from '#shared/protocol/errors.ts';
import { client } from '../../connection/database-client.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { Button } from '../../ui/button.tsx';
import { columnEntries } from '../../workbench/columns/column-menu.ts';
import type { GridHit } from '../../grid/layout/grid-space.ts';
import type { CommandId } from '#shared/commands.ts';

interface ResultMenuContext extends Pick<CellsEdited, 'whyFixed'> {
  readonly result: QueryResult;
  readonly grid: GridHandle;
  readonly formats: ColumnFormatControl;
  onArrange(arrangement: ResultArrangement): void;
  readonly view: GridView;
  onChangeColumns(view: GridView): void;
  onColors(column: number): void;
}

/** The context menu of a result: copying, and sorting and filtering the rows that were read. */
function resultMenu(context: ResultMenuContext, hit: GridHit): readonly MenuEntry[] {
  if (hit.zone === 'scroll-bar' || hit.zone === 'corner') return [];
  const { ended } = context.result;
  if (hit.zone === 'header') return headerEntries(context, hit.column);
  const cell = hit.zone === 'cells' ? context.grid.cell(hit.row, hit.column) : null;
  const why = cell && context.whyFixed(cell);
  const edit = (id: CommandId): MenuItem => (why ? { ...commandItem(id), disabled: true, why } : commandItem(id));
  return [
    ...(ended && cell ? [edit('grid.editCell'), edit('grid.setNull'), 'separator' as const, edit('grid.cut')] : []),
    ...copyEntries(false, context.formats.names.length > 0, ended),
    ...(ended ? [commandItem('export.show'), ...valueEntries(context, hit)] : []),
  ];
}

function headerEntries(context: ResultMenuContext, column: number): readonly MenuEntry[] {
  const { result, grid, view, onArrange, onChangeColumns, onColors } = context;
  const { arrangement, ended } = result;
  const { sort } = arrangement;
  const sorting = (label: string, terms: ResultArrangement['sort'], disabled = false): MenuEntry => ({
    label,
    run: () => onArrange({ ...arrangement, sort: terms }),
    disabled: disabled || !ended,
  });
  const only = (label: string, operator: 'is-null' | 'is-not-null'): MenuEntry => ({
    label,
    run: () => addFilter({ result, onArrange }, { column, operator, value: null }),
    disabled: !ended,
  });
  return [
    sorting('Sort ascending', [{ column, descending: false }]),
    sorting('Sort descending', [{ column, descending: true }]),
    sorting('Add to sort order', withTerm(sort, column)),
    sorting('Clear sort order', [], sort.length === 0),
    'separator',
    ...context.formats.entries(column),
    { label: 'Color by rule…', run: () => onColors(column) },
    only('Only rows where it is NULL', 'is-null'),
    only('Only rows where it is not NULL', 'is-not-null'),
    'separator',
    ...columnEntries({ grid, view, count: result.source.columns.length, onChange: onChangeColumns }, column),
  ];
}

function valueEntries(context: ResultMenuContext, { zone, row, column }: GridHit): readonly MenuEntry[] {
  const cell = zone === 'cells' ? context.grid.cell(row, column) : null;
  const packed = column + context.result.source.hiddenColumns;
  if (!cell || cell.rows.isPreview(cell.index, packed)) return [];
  const value = cell.rows.value(cell.index, packed);
  const [same, different] = value === null ? (['is-null', 'is-not-null'] as const) : (['=', '<>'] as const);
  const stored = context.formats.shown[column] ? 'this stored value' : 'this value';
  return [
    'separator',
    { label: `Only rows with ${stored}`, run: () => addFilter(context, { column, operator: same, value }) },
    { label: `Only rows without ${stored}`, run: () => addFilter(context, { column, operator: different, value }) },
  ];
}

const addFilter = (
  { result: { arrangement }, onArrange }: Pick<ResultMenuContext, 'result' | 'onArrange'>,
  term: ResultFilterTerm,
): void => onArrange({ ...arrangement, filter: [...arrangement.filter, term] });

interface ResultColors {
  readonly tints: CellTints | null;
  /** The element that holds the grid. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The rules of a column, while its card is open. */
  readonly card: ReactNode;
  placed(places: ColumnPositions): void;
  show(column: number): void;
}

/** The rules of a result column take precedence over those of its table. */
function useResultColors(
  result: QueryResult,
  memory: GridMemory,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
): ResultColors {
  const { source } = result;
  const [own, setOwn] = useState(() => memory.colors(result));
  const [column, setColumn] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const places = useRef(NO_POSITIONS);
  const ofTables = useTableRules(source);
  const tints = useMemo(() => resultTints(source, own, ofTables), [source, own, ofTables]);
  const show = (wanted: number): void => {
    if (!source.columns[wanted]) return;
    grid.current?.revealColumn(wanted);
    setColumn(wanted);
  };
  useCommand('grid.colorColumn', () => show(grid.current?.cursor.column ?? 0), isActive);
  const declared = column === null ? undefined : columnsOf(source)[column];
  const card = column !== null && declared && (
    <ColorCard
      key={column}
      column={declared}
      rules={rulesOf(own, String(column))}
      note={noteOf(ofTables[column] ?? [], declared.origin)}
      scaleEnds={(onMeasured) => <ResultScaleEnds source={source} column={column} onMeasured={onMeasured} />}
      anchor={() => headerRect(box.current?.getBoundingClientRect() ?? new DOMRect(), places.current, column)}
      onChange={(rules) => {
        const changed = withRules(own, String(column), rules);
        memory.keepColors(result, changed);
        setOwn(changed);
      }}
      onClose={() => {
        setColumn(null);
        grid.current?.focus();
      }}
    />
  );
  return { tints, box, card, show, placed: (placed) => void (places.current = placed) };
}

const columnsOf = ({ info, hiddenColumns }: ResultSource) => info.columns.slice(hiddenColumns);

/** Rules by column, taken from the table column that a result column comes from, if any. */
function useTableRules(source: ResultSource): readonly (readonly ColorRule[])[] {
  const colorsOf = useTableColors((state) => state.colorsOf);
  return useMemo(
    () =>
      columnsOf(source).map(({ origin }) =>
        origin ? rulesOf(colorsOf(source.database, origin.table), origin.column) : [],
      ),
    [source, colorsOf],
  );
}

function resultTints(
  source: ResultSource,
  own: ColorRules,
  ofTables: readonly (readonly ColorRule[])[],
): CellTints | null {
  const rules = ofTables.map((ofTable, column) => [String(column), [...rulesOf(own, String(column)), ...ofTable]]);
  // Columns are identified by number: two may have the same name.
  const numbered = columnsOf(source).map(({ declaredType }, at) => ({ name: String(at), declaredType }));
  return cellTints(Object.fromEntries(rules) as ColorRules, numbered, source.hiddenColumns);
}

function noteOf(
  ofTable: readonly ColorRule[],
  origin: { readonly table: string; readonly column: string } | null,
): string | undefined {
  if (ofTable.length === 0 || !origin) return undefined;
  return `Other cells have the colors of “${visibleName(origin.column)}” in “${visibleName(origin.table)}”.`;
}

interface ResultGridProps {
  readonly tabId: string;
  readonly result: QueryResult;
  readonly number: number;
  readonly memory: GridMemory;
  readonly gridRef: RefObject<GridHandle | null>;
  onArrange(arrangement: ResultArrangement): void;
  onStored(): void;
}

export function ResultGrid(props: ResultGridProps) {
  const { tabId, result, number, memory, gridRef: grid, onArrange } = props;
  const [companion] = useState(() => sideCompanion(tabId));
  const [view, setView] = useState(() => memory.view(result));
  const [openedAtMs] = useState(() => performance.now());
  const isActive = useStore(({ activeTabId }) => activeTabId === tabId);

  const { arrangement } = result;
  const formats = useResultFormats(tabId, result.source, grid, isActive);
  useRowCommands(props, isActive, formats);
  const { whyFixed, ...edited } = useEditing(props, isActive, formats);
  const colors = useResultColors(result, memory, grid, isActive);

  const changeView = (changed: GridView): void => {
    memory.keepView(result, changed);
    setView(changed);
  };
  const names = result.source.columns.map(({ name }) => name);
  const list = useArrangedColumns({ grid: () => grid.current, names, view, isActive, onChange: changeView });
  return (
    <>
      <ContextMenu
        boxAt={({ clientX, clientY }) => grid.current?.hitBoxAt(clientX, clientY) ?? null}
        entriesAt={({ clientX, clientY }) => {
          if (!grid.current) return [];
          const menu = { result, grid: grid.current, view, formats, whyFixed, onArrange, onChangeColumns: changeView };
          return resultMenu({ ...menu, onColors: colors.show }, grid.current.hitAt(clientX, clientY));
        }}
      >
        <div ref={colors.box} className="full-height anchor">
          {list}
          <Grid
            ref={grid}
            source={result.source}
            companion={companion}
            view={view}
            sort={arrangement.sort}
            onSort={(column, more) => onArrange({ ...arrangement, sort: sortedBy(arrangement.sort, column, more) })}
            label={`Rows of result ${number}`}
            editing={edited.editing}
            tints={colors.tints}
            formats={formats.shown}
            start={{ topRow: memory.topRow(result) }}
            onViewChange={changeView}
            onColumnsPlaced={colors.placed}
            onSelectionChange={edited.showDetail}
            onSettled={(handle) => {
              memory.keepTopRow(result, handle.topRow);
              edited.settled(handle);
              setTabStatus(tabId, { selectedSummary: selectionSummary(handle, result.source.hiddenColumns) });
            }}
            onFirstRows={() => setTabStatus(tabId, { firstRowsMs: performance.now() - openedAtMs })}
            onError={notifyFailure}
            onRefused={(text) => notify({ tone: 'info', topic: 'result-edit', text })}
          />
        </div>
      </ContextMenu>
      {colors.card}
      {formats.dialog}
    </>
  );
}

/** Commands for columns, sorting, copying, and exporting. */
function useRowCommands(props: ResultGridProps, isActive: boolean, { names }: ColumnFormatControl): void {
  useColumnCommands(() => props.gridRef.current, isActive);
  useSorting(props, isActive);
  useRowsOut(props.result, props.gridRef, isActive, names);
}

function useSorting({ result, gridRef: grid, onArrange }: ResultGridProps, isActive: boolean): void {
  const { arrangement } = result;
  useSortCommands<number>({
    grid,
    isReady: isActive && result.ended,
    sort: arrangement.sort,
    columnAt: (index) => (result.source.columns[index] ? index : null),
    nameOf: (column) => visibleName(result.source.columns[column]?.name ?? ''),
    onSort: (sort) => onArrange({ ...arrangement, sort }),
  });
}

interface CellsEdited {
  readonly editing: GridEditing;
  /** A sentence why the cell cannot be edited, or null. */
  whyFixed(cell: CellReference): string | null;
  showDetail(grid: GridHandle): void;
  settled(grid: GridHandle): void;
}

function useEditing(
  { tabId, result, gridRef: grid, onStored }: ResultGridProps,
  isActive: boolean,
  { shown: formats, chosen }: ColumnFormatControl,
): CellsEdited {
  const columns = useEditableColumns(result);
  const editing = { result, columns, onStored };
  useCommand('grid.editCell', () => grid.current?.editCell(), isActive);
  const inTurn = (work: typeof cutCells) => (): void => {
    if (grid.current) grid.current.during(work(editing, grid.current));
  };
  useCommand('grid.setNull', inTurn(setCellsNull), isActive);
  useCommand('grid.cut', inTurn(cutCells), isActive);
  useCommand('value.edit', editInDetails, isActive);
  const latest = useLatest(editing);
  const shown = useRef<CellReference | null>(null);
  const show = (handle: GridHandle): void => {
    noteMapRow(tabId, handle.cursor.row);
    const cell = handle.cell(handle.cursor.row, handle.cursor.column);
    if (cell && isSameCell(cell, shown.current)) return;
    shown.current = cell;
    showCell(tabId, latest.current, handle, chosen);
  };
  // It becomes known only after the rows which columns can be edited, and formats change while a cell is shown.
  useEffect(() => {
    if (columns && shown.current && grid.current) showCell(tabId, latest.current, grid.current, chosen);
  }, [columns, chosen, grid, latest, tabId]);
  const whyFixed = (cell: CellReference): string | null => {
    const stored = storedCell(editing, cell);
    return typeof stored === 'string' ? stored : null;
  };
  const settled = (handle: GridHandle): void => {
    noteMapRow(tabId, handle.cursor.row);
    if (isShownInDetails(tabId)) show(handle);
  };
  return { editing: editingOf(editing, formats), whyFixed, showDetail: show, settled };
}

/** Commands that export the result as text: to files and the clipboard. */
function useRowsOut(
  result: QueryResult,
  grid: RefObject<GridHandle | null>,
  isActive: boolean,
  formatted: readonly string[],
): void {
  useCopyCommands(() => grid.current, isActive);
  useCommand(
    'grid.copyTransposed',
    () => grid.current && void copyCells(grid.current, { isTransposed: true }),
    isActive,
  );
  const { database, reader } = result.source;
  const rows = { kind: 'result', reader, sql: result.reads === null ? null : result.sql } as const;
  useExportOffer(isActive && result.ended, () => ({
    database,
    choices: resultChoices(rows, grid.current, isArranged(result.arrangement)),
    formatted,
  }));
  useCopyAs(isActive, false, () => {
    if (!grid.current) return null;
    return { database, grid: grid.current, source: rows, nameOf: (column) => column };
  });
}

/** False until a cell of the result has been selected. */
const isShownInDetails = (tabId: string): boolean => useStore.getState().details[tabId] !== undefined;

const isSameCell = (a: CellReference, b: CellReference | null): boolean =>
  a.rows === b?.rows && a.index === b.index && a.column === b.column;

function showCell(
  tabId: string,
  editing: ResultEditing,
  grid: GridHandle,
  formats: ColumnFormatControl['chosen'],
): void {
  const { source } = editing.result;
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  const packed = column + source.hiddenColumns;
  const info = source.info.columns[packed];
  if (!cell || !info) return;
  const { rows, index } = cell;
  const edited = cellForDetails(editing, cell);
  const isFixed = typeof edited === 'string';
  const format = formats[column] ?? null;
  setDetail(tabId, {
    tabId,
    database: source.database,
    title: `Row ${formatCount(row + 1)}`,
    column: info.name,
    declaredType: info.declaredType,
    origin: info.origin,
    row: null,
    value: rows.value(index, packed),
    shownAs: shownAs(format, format?.show(rows, index, packed)?.text ?? null),
    storageClass: rows.storageClass(index, packed),
    sizeBytes: rows.sizeBytes(index, packed),
    complete: !rows.isPreview(index, packed),
    editing: isFixed ? edited : edited.editing,
    source: isFixed
      ? { kind: 'position', reader: source.reader, position: row, column: packed }
      : { kind: 'cell', cell: edited.address },
  });
}

interface ResultScaleEndsProps {
  readonly source: ResultSource;
  /** Index among the shown columns. */
  readonly column: number;
  onMeasured(from: string, to: string): void;
}

/** Reads the least and the greatest number of a column of a result, for a scale, with Stop. */
function ResultScaleEnds({ source, column, onMeasured }: ResultScaleEndsProps): ReactNode {
  /** Why there are none; null while they are read. */
  const [why, setWhy] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const latest = useLatest(onMeasured);
  useEffect(() => {
    const abort = new AbortController();
    running.current = abort;
    const params = { reader: source.reader, column: column + source.hiddenColumns };
    let isGone = false;
    client.call('chart.extremes', params, { signal: abort.signal }).then(
      ({ least, greatest }) => {
        if (isGone) return;
        if (least === null) setWhy('This column has no numbers.');
        else latest.current(valueText(least), valueText(greatest));
      },
      (thrown: unknown) => {
        const error = toAppError(thrown);
        if (!isGone) setWhy(error.code === 'stopped' ? 'Stopped. Enter the ends of the scale.' : error.message);
      },
    );
    return () => {
      isGone = true;
      abort.abort();
    };
  }, [source, column, latest]);
  if (why !== null)
    return (
      <p className="note" role="status">
        {why}
      </p>
    );
  return (
    <p className="note" role="status">
      Reading the ends of the scale…{' '}
      <Button size="small" variant="danger" onClick={() => running.current?.abort()}>
        <Square size={12} aria-hidden /> Stop
      </Button>
    </p>
  );
}
