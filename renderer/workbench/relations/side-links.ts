// Two tabs side by side that scroll together, and select rows that belong together.
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { FilterTerm, Value } from '#shared/protocol/index.ts';
import type { GridCompanion, PairedGrid } from '../../grid/companion.ts';
import type { CellReference } from '../../grid/grid-source.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { ROW_HEIGHT } from '../../grid/layout/geometry.ts';
import { sidesOf } from '../../state/slices/tabs.ts';
import { updateSplit, useStore } from '../../state/store.ts';
import { LatestCall } from '../latest-call.ts';
import { matchingTerms } from './matching-terms.ts';
import { TableSource } from '../rows/table-source.ts';

const grids = new Map<string, PairedGrid>();
const tables = new Map<string, LinkedTable>();
const finding = new LatestCall();
/** The side that the user works in. The other side follows, and is never followed itself. */
let driver: string | null = null;

/** Offset in rows of two tables whose rows belong together: the rows selected last are beside each other. */
let shift: { readonly from: TableSource; readonly to: TableSource; readonly rows: number } | null = null;

/** Functions and facts needed to go to a row of a table. */
interface LinkedTable {
  readonly source: TableSource;
  grid(): GridHandle | null;
}

/** The pointer is over the tab, or it has the focus. */
export function driveSide(tabId: string): void {
  driver = tabId;
}

/** Turns linked scrolling on or off. Once on, the other side is where the active one is. */
export function toggleScrolling(): void {
  const { split, activeTabId } = useStore.getState();
  updateSplit({ scrolls: !split?.scrolls });
  driver = activeTabId;
  if (activeTabId !== null) followScroll(activeTabId);
}

/** Companion for the grid of a tab, while it is on screen. */
export function sideCompanion(tabId: string): GridCompanion {
  let own: PairedGrid | null = null;
  return {
    join(grid) {
      if (grid) grids.set(tabId, grid);
      else if (own && grids.get(tabId) === own) grids.delete(tabId);
      own = grid;
    },
    scrolled: () => followScroll(tabId),
    selected: () => undefined,
    rowsChanged: () => undefined,
    differenceAt: () => null,
  };
}

/** Returns a function that forgets the table. */
export function linkTable(tabId: string, table: LinkedTable): () => void {
  tables.set(tabId, table);
  return () => {
    if (tables.get(tabId) === table) tables.delete(tabId);
  };
}

/** The side beside the tab, if the user works in the tab. */
function otherOf(tabId: string, link: 'scrolls' | 'selects'): string | null {
  const state = useStore.getState();
  if (driver !== tabId || !state.split?.[link]) return null;
  const shown = sidesOf(state);
  return shown.length === 2 ? (shown.find(({ id }) => id !== tabId)?.id ?? null) : null;
}

function followScroll(tabId: string): void {
  const other = otherOf(tabId, 'scrolls');
  const [from, to] = [grids.get(tabId), other === null ? undefined : grids.get(other)];
  if (!from || !to) return;
  const [own, followed] = [tables.get(tabId)?.source, tables.get(other!)?.source];
  const isSame = own?.detail.name === followed?.detail.name;
  const top = from.scrolledTo.top + shiftBetween(own, followed) * ROW_HEIGHT;
  to.scrollTo({ top: Math.max(0, top), left: isSame ? from.scrolledTo.left : to.scrolledTo.left });
}

/** 0 while rows are not selected together. */
function shiftBetween(from: TableSource | undefined, to: TableSource | undefined): number {
  if (!shift || !useStore.getState().split?.selects) return 0;
  if (shift.from === from && shift.to === to) return shift.rows;
  return shift.from === to && shift.to === from ? -shift.rows : 0;
}

/** The other side goes to the row that belongs to this one: the same row, its parent, or its first child. */
export function followSelection(tabId: string, source: TableSource, cell: CellReference | null): void {
  const other = otherOf(tabId, 'selects');
  const linked = other === null ? undefined : tables.get(other);
  if (!cell || !linked || linked.source.database !== source.database) return;
  finding
    .run(() => placeOf(source, cell, linked.source))
    .then((found) => {
      const position = found?.value ?? null;
      const grid = linked.grid();
      const row = tables.get(tabId)?.grid()?.cursor.row;
      if (position === null || !grid || row === undefined) return;
      if (grid.cursor.row !== position) grid.goTo(position);
      shift = { from: source, to: linked.source, rows: position - row };
      followScroll(tabId);
    })
    .catch(() => undefined); // the row stays where it is
}

async function placeOf(from: TableSource, { rows, index }: CellReference, to: TableSource): Promise<number | null> {
  const key = from.keyOf(rows, index);
  if (from.detail.name === to.detail.name) return key && (await to.find(key));
  const terms = matchingTerms(from.detail, to.detail, (name) => valueIn(from, rows, index, name));
  const found = terms && (await firstKey(to, terms));
  return found && (await to.find(found));
}

function valueIn(source: TableSource, rows: PackedRowsReader, index: number, name: string): Value | undefined {
  const at = source.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
  const packed = at + source.hiddenColumns;
  return at < 0 || rows.isPreview(index, packed) ? undefined : rows.value(index, packed);
}

/** Key of the first matching row that the other side shows. */
async function firstKey(
  { database, detail, view }: TableSource,
  terms: readonly FilterTerm[],
): Promise<readonly Value[] | null> {
  const source = await TableSource.open(database, detail.name, { ...view, filter: [...view.filter, ...terms] });
  try {
    const { rows } = await source.read(0, 1);
    return rows.rowCount === 0 ? null : source.keyOf(new PackedRowsReader(rows), 0);
  } finally {
    source.close();
  }
}
