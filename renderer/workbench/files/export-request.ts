// What the user is about to export or print: requested by the feature that shows it, handled by the dialogs.
import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import type { PrintedPicture } from '#shared/printing.ts';
import type { DatabaseId, ExportSource, RowSelection } from '#shared/protocol/index.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { countOf, isSingleCell, selectedColumns, selectedRows } from '../../grid/input/selection.ts';
import { plural } from '../../ui/format.ts';
import type { TableView } from '../tabs/table.ts';

export interface ExportChoice {
  readonly label: string;
  readonly source: ExportSource;
  /** The source when the export begins: selected rows may have moved while the dialog was open. */
  readonly sourceNow?: () => ExportSource;
  /** Name without the extension. */
  readonly fileName: string;
}

export interface ExportRequest {
  readonly database: DatabaseId;
  /** The first one is preselected; exports of the whole database are offered in addition. */
  readonly choices: readonly ExportChoice[];
  /** Names of columns that are shown in another form than the stored one, which is exported. */
  readonly formatted?: readonly string[];
}

interface Requests {
  readonly request: ExportRequest | null;
}

export const useExportRequest = create<Requests>()(() => ({ request: null }));

export const showExport = (request: ExportRequest): void => useExportRequest.setState({ request });
export const closeExport = (): void => useExportRequest.setState({ request: null });

export interface PictureChoice extends Pick<ExportChoice, 'label' | 'fileName'> {
  readonly pictureNow: () => PrintedPicture;
}

const exports: (() => ExportRequest)[] = [];
const pictures: (() => PictureChoice)[] = [];

/** Offers rows for export while `isActive`; the export command uses the newest offer. */
export const useExportOffer = (isActive: boolean, offer: () => ExportRequest): void =>
  useOffer(exports, isActive, offer);

/** Offers a picture for printing while `isActive`. */
export const usePictureOffer = (isActive: boolean, offer: () => PictureChoice): void =>
  useOffer(pictures, isActive, offer);

function useOffer<T>(offers: (() => T)[], isActive: boolean, offer: () => T): void {
  const latest = useRef(offer);
  useEffect(() => {
    latest.current = offer;
  });
  useEffect(() => {
    if (!isActive) return;
    const ask = (): T => latest.current();
    offers.push(ask);
    return () => void offers.splice(offers.indexOf(ask), 1);
  }, [offers, isActive]);
}

/** The offer of the active feature; null if it has no rows. */
export const offeredExport = (): ExportRequest | null => exports.at(-1)?.() ?? null;

/** The picture of the active feature; null if it has none. */
export const offeredPicture = (): PictureChoice | null => pictures.at(-1)?.() ?? null;

type Names<T> = (column: number) => T;

/** The selected columns, and rows with their keys; several ranges become one block. Missing properties mean all. */
export function selectionOf<T extends string | number>(
  grid: GridHandle,
  nameOf: Names<T>,
): RowSelection & { readonly summary: string } {
  const bounds = { ...grid.bounds, rows: grid.bounds.rows - (grid.draftPosition >= 0 ? 1 : 0) };
  const rows = selectedRows(grid.selection, bounds);
  const places = selectedColumns(grid.selection, bounds).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, index) => first + index),
  );
  const isAllRows = countOf(rows) === bounds.rows;
  return {
    // The row count may be an estimate, so all rows are not listed as a range.
    ...(!isAllRows && { rows, ...grid.selectedKeys() }),
    columns: places.map((place) => nameOf(grid.columns[place]!)),
    summary: `${plural(countOf(rows), 'row')} of ${plural(places.length, 'column')}`,
  };
}

/** The choices for a table tab: the selection, the visible rows, and all rows. */
export function tableChoices(
  table: string,
  view: Pick<TableView, 'sort' | 'filter' | 'where' | 'order'>,
  grid: GridHandle | null,
  names: readonly string[],
): readonly ExportChoice[] {
  const { sort, filter, where, order } = view;
  const all: ExportChoice = { label: `All rows of ${table}`, source: { kind: 'table', table }, fileName: table };
  const shown: ExportSource = { kind: 'table', table, sort, filter, ...(where !== '' && { where }) };
  const shownColumns = grid?.columns.map((column) => names[column]!) ?? names;
  const isArranged = sort.length + filter.length + order.length > 0 || where !== '';
  const asShown: ExportChoice = {
    label: filter.length > 0 || where !== '' ? 'Filtered rows, as shown' : 'All rows, as shown',
    source: { ...shown, columns: shownColumns },
    fileName: table,
  };
  return [...selected(grid, (column) => names[column]!, shown, table), ...(isArranged ? [asShown] : []), all];
}

/** The choices for a result: the selection, and all rows, as the user has sorted and filtered them. */
export function resultChoices(
  source: Extract<ExportSource, { readonly kind: 'result' }>,
  grid: GridHandle | null,
  isArranged: boolean,
): readonly ExportChoice[] {
  const label = isArranged ? 'Rows of this result, as shown' : 'All rows of this result';
  const whole: ExportChoice = { label, source, fileName: 'result' };
  return [...selected(grid, (column) => column, source, 'result'), whole];
}

function selected(
  grid: GridHandle | null,
  nameOf: Names<string | number>,
  source: ExportSource,
  fileName: string,
): readonly ExportChoice[] {
  if (!grid || isSingleCell(grid.selection) || grid.bounds.rows === 0) return [];
  const { summary, ...selection } = selectionOf(grid, nameOf);
  const sourceNow = (): ExportSource => {
    const { summary: _summary, ...now } = selectionOf(grid, nameOf);
    return { ...source, ...now };
  };
  return [{ label: `Selection: ${summary}`, source: { ...source, ...selection }, sourceNow, fileName }];
}
