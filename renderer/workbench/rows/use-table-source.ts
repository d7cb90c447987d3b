// Opens the reader behind a table, again whenever sort, filter, schema or connection change, and keeps the old rows until then; also while a
// person is asked whether a server may read the whole table for it.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Dispatch, RefObject, SetStateAction } from 'react';
import { flushSync } from 'react-dom';
import { AppError, toAppError, capabilitiesOf, type DatabaseId, type Work } from '#shared/protocol/index.ts';
import { rowsKey } from '#shared/rows-key.ts';
import { client } from '../../connection/database-client.ts';
import { wasEndedFor } from '../unresponsive-work.ts';
import { useOwnWindowId } from '../../connection/use-own-window-id.ts';
import type { GridHandle } from '../../grid/grid-handle.ts';
import { keepOrder, takeOrder } from './agreed-orders.ts';
import {
  consentToScan,
  hasConsented,
  isPlain,
  isOfSameText,
  isSameView,
  isWholeTable,
  scanOf,
  withdrawConsents,
  type RowsView,
} from './scan-consent.ts';
import { hiddenSource, hideSource, takeSource, type ShownTable } from './hidden-sources.ts';
import { TableSource } from './table-source.ts';
import { useSchema } from '../../state/schema.ts';

/** A question about the current sort and filter, whose rows are not opened before a person has agreed. */
export interface ScanQuestion {
  /** Rows that the server would read, in sentences. */
  readonly cost: string;
  agree(): void;
  /** The rows stay as they are. */
  dismiss(): void;
}

export interface OpenedTable {
  /** The last source that could be opened; null if the table no longer exists. */
  readonly source: TableSource | null;
  readonly isGone: boolean;
  /** Why the current sort, filter or table could not be opened. */
  readonly error: AppError | null;
  /** Until the question is answered, the rows of `source` have another sort and filter. */
  readonly question: ScanQuestion | null;
  retry(): void;
}

/** A failure, kept with its view so that it is not shown beside a view that was requested later. */
interface Failure extends Pick<RowsView, 'where' | 'filter'> {
  readonly error: AppError;
}

/** The rows on screen, and the facts that decide whether they are opened again although their view is the same. */
interface Shown {
  source: TableSource | null;
  attempt: number;
  /** The reader of the source ended with its connection. */
  isLost: boolean;
  /** The source is of the current view and schema. */
  isUpToDate: boolean;
  /** A person has decided against reading this view again. */
  kept: RowsView | null;
}

interface Asked {
  readonly cost: string;
  readonly view: RowsView;
}

const PLAIN: RowsView = { sort: [], filter: [], where: '' };

/** @param grid where the current row stays in view when the order changes; null for none @param topRow where the grid begins */
export function useTableSource(
  { id, database, table, view: { sort, filter, where } }: ShownTable,
  grid: RefObject<GridHandle | null> | null,
  topRow: number | null = null,
): OpenedTable {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [attempt, setAttempt] = useState(0);
  const windowId = useOwnWindowId();
  const { source, setSource, shown } = useShownRows({ id, database, table, view: { sort, filter, where } }, grid);
  const firstRow = useRef(topRow);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);

  useEffect(() => {
    let isOutdated = false;
    const now = shown.current;
    const view: RowsView = { sort, filter, where };
    const same = rowsOf(now, database, table);
    // The view is as before, for example because a question was answered with no: the rows are still here.
    now.isUpToDate = same !== null && now.attempt === attempt && isSameView(same.view, view);
    if (now.isUpToDate) return setAsked(null);
    const adopt = async (): Promise<void> => {
      const { source: opened, cost } = await openOrAsk({ id, database, table, view }, same);
      if (isOutdated) return opened === null ? undefined : leave(id, opened);
      setAsked(cost === null ? null : { cost, view });
      if (opened === null) return setFailure(null);
      if (now.source === null && firstRow.current !== null) opened.readAhead(firstRow.current);
      if (same !== null && canStay(same, view)) await opened.readFirst();
      const goTo = await placeToGo(now.source, opened, isOutdated ? null : (grid?.current ?? null));
      if (isOutdated) return leave(id, opened);
      if (now.source) leaveFor(view, id, now.source);
      Object.assign(now, { source: opened, attempt, isLost: false, isUpToDate: true, kept: null });
      setFailure(null);
      // Update synchronously: a click or a key in between would be followed by a jump to where the cursor was before it.
      flushSync(() => setSource(opened));
      if (goTo !== null) grid?.current?.goTo(goTo);
    };
    adopt().catch((thrown: unknown) => !isOutdated && setFailure({ error: toAppError(thrown), where, filter }));
    return () => {
      isOutdated = true;
    };
  }, [id, database, table, sort, filter, where, attempt, grid, shown, setSource]);
  useEffect(() => {
    const end = (error: AppError): void => {
      setSource(null);
      setFailure({ error, where, filter });
    };
    return followDatabase({ id, database, table, view: { sort, filter, where } }, shown.current, windowId, retry, end);
  }, [id, database, table, sort, where, filter, windowId, retry, shown, setSource]);
  const error = failure && failure.where === where && failure.filter === filter ? failure.error : null;
  const isGone = useIsGone(database, table, error);
  const agree = (): void => {
    consentToScan({ database, table }, { sort, filter, where });
    retry();
  };
  const dismiss = (): void => {
    shown.current.kept = { sort, filter, where };
    setAsked(null);
  };
  const question =
    asked && isSameView(asked.view, { sort, filter, where }) ? { cost: asked.cost, agree, dismiss } : null;
  return { source: isGone ? null : source, isGone, error, question, retry };
}

interface ShownRows {
  readonly source: TableSource | null;
  readonly setSource: Dispatch<SetStateAction<TableSource | null>>;
  readonly shown: RefObject<Shown>;
}

/** Begins with the rows that were hidden with their tab, and hides those on screen when it leaves. */
function useShownRows(tab: ShownTable, grid: RefObject<GridHandle | null> | null): ShownRows {
  const { id } = tab;
  const [source, setSource] = useState(() => grid && hiddenSource(tab));
  const shown = useRef<Shown>({ source, attempt: 0, isLost: false, isUpToDate: false, kept: null });
  useLayoutEffect(() => {
    if (takeSource(id, shown.current.source)) return;
    shown.current.source = null;
    setSource(null);
  }, [id]);
  useEffect(() => {
    const now = shown.current;
    return () => {
      if (now.source && isAgreed(now.source) && now.isUpToDate) keepOrder(id, now.source);
      else if (now.source && grid && now.isUpToDate) hideSource(id, now.source);
      else now.source?.close();
    };
  }, [id, grid]);
  return { source, setSource, shown };
}

/** The first rows of another order may take seconds. The rows on screen stay until then; rows of another filter would be wrong. */
const canStay = ({ view, extent }: TableSource, { filter, where }: RowsView): boolean =>
  extent.rows > 0 && view.filter === filter && view.where === where;

/** The rows on screen, if they can stay although another view was requested. */
const rowsOf = ({ source, isLost }: Shown, database: DatabaseId, table: string): TableSource | null =>
  source?.database === database && source.detail.name === table && !isLost ? source : null;

/**
 * Calls `reopen` when the rows have to be opened again, and `end` when they were lost with an engine that was ended because of them.
 * Returns a function that stops it.
 */
function followDatabase(
  { database, table, view }: ShownTable,
  shown: Shown,
  windowId: string | null,
  reopen: () => void,
  end: (error: AppError) => void,
): () => void {
  const stopSchema = client.on('database.changed', (change) => {
    if (change.database !== database) return;
    const isOld = change.manyRows === true && (change.tables?.includes(table) ?? true) && isCostly(shown.source);
    if (!change.schema && !isOld) return;
    if (shown.kept && isOfSameText(shown.kept, view)) return;
    withdrawConsents({ database, table });
    shown.isUpToDate = false;
    reopen();
  });
  const stopReconnect = client.onReconnected(() => {
    const key = rowsKey(database, table);
    const isOwn = (work: Work): boolean => work.windowId === windowId && work.rowsOf === key;
    Object.assign(shown, { isLost: true, isUpToDate: false });
    shown.kept = null;
    if (!wasEndedFor(isOwn)) return reopen();
    shown.source = null;
    end(endedForThis(table));
  });
  return () => {
    stopSchema();
    stopReconnect();
  };
}

interface Wanted {
  /** Null: the rows that are shown stay. */
  readonly source: TableSource | null;
  /** Cost that a person has to agree to first; null when the rows are those of the view. */
  readonly cost: string | null;
}

/**
 * The rows of the view; if it costs a whole table and no one has agreed to that, the rows that are shown, or else rows without order and
 * filter.
 */
async function openOrAsk({ id, database, table, view }: ShownTable, shown: TableSource | null): Promise<Wanted> {
  const kept = takeOrder(id, database, table, view);
  if (kept !== null) return { source: kept, cost: null };
  const mayScan = hasConsented({ database, table }, view) || (shown !== null && isWholeTable(shown));
  try {
    return { source: await TableSource.open(database, table, view, mayScan), cost: null };
  } catch (thrown) {
    const cost = scanOf(thrown);
    if (cost === null) throw thrown;
    return { source: shown === null ? await TableSource.open(database, table, PLAIN) : null, cost };
  }
}

/** Whether an order costs the server the whole table each time, and does not follow changes of rows that are not known. */
const isCostly = (shown: TableSource | null): boolean =>
  shown !== null && !isPlain(shown.view) && (isAgreed(shown) || isWholeTable(shown));

/** Someone has agreed to the cost of this order. */
const isAgreed = ({ database, detail, view }: TableSource): boolean =>
  hasConsented({ database, table: detail.name }, view);

function leaveFor(next: RowsView, id: string, source: TableSource): void {
  if (isOfSameText(source.view, next)) source.close();
  else leave(id, source);
}

function leave(id: string, source: TableSource): void {
  if (isAgreed(source)) keepOrder(id, source);
  else source.close();
}

/** A table that was only renamed is in the schema as soon as its tab has the new name. */
function useIsGone(database: DatabaseId, table: string, error: AppError | null): boolean {
  const schema = useSchema(database);
  return error?.code === 'not-found' && schema !== null && !schema.objects.some(({ name }) => name === table);
}

function endedForThis(table: string): AppError {
  return AppError.stopped(
    `Reading the rows of “${table}” could be stopped only by restarting the engine, so they are not read again automatically. Committed changes are safe.`,
  );
}

/**
 * Position of the current row under the new order, or null to leave it as it is. Another row may become the current one during the search.
 */
async function placeToGo(
  before: TableSource | null,
  after: TableSource,
  grid: GridHandle | null,
): Promise<number | null> {
  if (!before || !grid) return null;
  // A server would look through the whole order for the row.
  if (!capabilitiesOf(after.database).freeReads && !isPlain(after.view)) return null;
  for (;;) {
    const { row, column } = grid.cursor;
    const cell = grid.cell(row, column);
    // Every table starts at its first row, so that row is not a place that a person chose.
    const key = cell && row > 0 ? before.keyOf(cell.rows, cell.index) : null;
    const place = key && (await after.find(key).catch(() => null)); // losing the place is no reason to fail
    if (grid.cursor.row === row) return place;
  }
}
