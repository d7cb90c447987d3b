// Opens the reader behind a table, again whenever sort, filter, schema or connection change, and keeps the old rows until then; also while a
// person is asked whether a server may read the whole table for it.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId, Work } from '#shared/protocol/index.ts';
import { isRemote } from '#shared/protocol/remote.ts';
import { rowsKey } from '#shared/rows-key.ts';
import { client } from '../../connection/database-client.ts';
import { wasEndedFor } from '../unresponsive-work.ts';
import { useOwnWindowId } from '../../connection/use-own-window-id.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import {
  consentToScan,
  hasConsented,
  isPlain,
  isSameView,
  isWholeTable,
  scanOf,
  withdrawConsents,
} from './scan-consent.ts';
import type { RowsView } from './scan-consent.ts';
import { TableSource } from './table-source.ts';
import { useSchema } from '../../state/schema.ts';

interface ShownTable {
  /** Of the tab. */
  readonly id: string;
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: RowsView;
}

/** The present sort and filter are not opened before a person has agreed. */
export interface ScanQuestion {
  /** What the server would read, in sentences. */
  readonly cost: string;
  agree(): void;
  /** The rows stay as they are. */
  dismiss(): void;
}

export interface OpenedTable {
  /** The last one that could be opened; null if the table no longer exists. */
  readonly source: TableSource | null;
  readonly isGone: boolean;
  /** Why the present sort, filter or table could not be opened. */
  readonly error: AppError | null;
  /** The rows of `source` are those of another sort and filter until it is answered. */
  readonly question: ScanQuestion | null;
  retry(): void;
}

/** What failed, so that it is not shown beside what was asked afterwards. */
interface Failure extends Pick<RowsView, 'where' | 'filter'> {
  readonly error: AppError;
}

interface Asked {
  readonly cost: string;
  readonly view: RowsView;
}

const PLAIN: RowsView = { sort: [], filter: [], where: '' };

/**
 * @param grid where the current row stays in view when the order changes; null for none
 * @param topRow where the grid begins
 */
export function useTableSource(
  { id, database, table, view: { sort, filter, where } }: ShownTable,
  grid: RefObject<GridHandle | null> | null,
  topRow: number | null = null,
): OpenedTable {
  const [source, setSource] = useState<TableSource | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [attempt, setAttempt] = useState(0);
  const windowId = useOwnWindowId();
  const current = useRef<TableSource | null>(null);
  const openedAttempt = useRef(0);
  /** The reader of the rows that are shown ended with its connection. */
  const isLost = useRef(false);
  /** A person has decided against reading it again. */
  const kept = useRef<RowsView | null>(null);
  const firstRow = useRef(topRow);

  useEffect(() => {
    let isOutdated = false;
    const view: RowsView = { sort, filter, where };
    const before = current.current;
    const isOfTable = before?.database === database && before.detail.name === table;
    const shown = isOfTable && !isLost.current ? before : null;
    // As before a question that was answered with no: the rows are still here.
    if (shown && openedAttempt.current === attempt && isSameView(shown.view, view)) return setAsked(null);
    const adopt = async (): Promise<void> => {
      const wanted = await openOrAsk({ id, database, table, view }, shown);
      if (isOutdated) return wanted.source?.close();
      setAsked(wanted.cost === null ? null : { cost: wanted.cost, view });
      const opened = wanted.source;
      if (opened === null) return setFailure(null);
      if (current.current === null && firstRow.current !== null) opened.readAhead(firstRow.current);
      const goTo = await placeToGo(current.current, opened, grid?.current ?? null);
      if (isOutdated) return opened.close();
      current.current?.close();
      current.current = opened;
      openedAttempt.current = attempt;
      isLost.current = false;
      setFailure(null);
      setSource(opened);
      if (goTo !== null) requestAnimationFrame(() => grid?.current?.goTo(goTo));
    };
    adopt().catch((thrown: unknown) => !isOutdated && setFailure({ error: toAppError(thrown), where, filter }));
    return () => {
      isOutdated = true;
    };
  }, [id, database, table, sort, filter, where, attempt, grid]);
  useEffect(() => () => current.current?.close(), []);
  useEffect(() => {
    const reopen = (): void => setAttempt((count) => count + 1);
    const view: RowsView = { sort, filter, where };
    const stopSchema = client.on('database.changed', (change) => {
      if (change.database !== database) return;
      const isOld =
        change.manyRows === true && (change.tables?.includes(table) ?? true) && isCostly(id, current.current);
      if (!change.schema && !isOld) return;
      if (kept.current && isSameView(kept.current, view)) return;
      withdrawConsents(id);
      reopen();
    });
    const stopReconnect = client.onReconnected(() => {
      const rowsOf = rowsKey(database, table);
      const isOwn = (work: Work): boolean => work.windowId === windowId && work.rowsOf === rowsOf;
      isLost.current = true;
      kept.current = null;
      if (!wasEndedFor(isOwn)) return reopen();
      current.current = null;
      setSource(null);
      setFailure({ error: endedForThis(table), where, filter });
    });
    return () => {
      stopSchema();
      stopReconnect();
    };
  }, [id, database, table, sort, where, filter, windowId]);
  const error = failure && failure.where === where && failure.filter === filter ? failure.error : null;
  const isGone = useIsGone(database, table, error);
  const retry = (): void => setAttempt((count) => count + 1);
  const agree = (): void => {
    consentToScan(id, { sort, filter, where });
    retry();
  };
  const dismiss = (): void => {
    kept.current = { sort, filter, where };
    setAsked(null);
  };
  const isAsked = asked !== null && isSameView(asked.view, { sort, filter, where });
  const question = isAsked ? { cost: asked.cost, agree, dismiss } : null;
  return { source: isGone ? null : source, isGone, error, question, retry };
}

interface Wanted {
  /** Null: the rows that are shown stay. */
  readonly source: TableSource | null;
  /** What a person has to agree to first; null when the rows are those of the view. */
  readonly cost: string | null;
}

/** The rows of the view, or, if it costs a whole table that nobody has agreed to, those that are shown, or else those of no order and filter. */
async function openOrAsk({ id, database, table, view }: ShownTable, shown: TableSource | null): Promise<Wanted> {
  const mayScan = hasConsented(id, view) || (shown !== null && isWholeTable(shown));
  try {
    return { source: await TableSource.open(database, table, view, mayScan), cost: null };
  } catch (thrown) {
    const cost = scanOf(thrown);
    if (cost === null) throw thrown;
    return { source: shown === null ? await TableSource.open(database, table, PLAIN) : null, cost };
  }
}

/** Whether an order costs the server the whole table each time, and does not follow changes of rows that are not known. */
const isCostly = (id: string, shown: TableSource | null): boolean =>
  shown !== null && !isPlain(shown.view) && (hasConsented(id, shown.view) || isWholeTable(shown));

/** A table that was only renamed is in the schema as soon as its tab has the new name. */
function useIsGone(database: DatabaseId, table: string, error: AppError | null): boolean {
  const schema = useSchema(database);
  return error?.code === 'not-found' && schema !== null && !schema.objects.some(({ name }) => name === table);
}

function endedForThis(table: string): AppError {
  return new AppError({
    code: 'stopped',
    message: `Reading the rows of “${table}” could be stopped only by restarting the engine, so they are not read again automatically. Committed changes are safe.`,
  });
}

/** Where the current row is under the new order, or null when it should stay as it is. */
async function placeToGo(
  before: TableSource | null,
  after: TableSource,
  grid: GridHandle | null,
): Promise<number | null> {
  if (!before || !grid) return null;
  const { row, column } = grid.cursor;
  const cell = grid.cell(row, column);
  // A server would look through the whole order for the row.
  if (isRemote(after.database) && !isPlain(after.view)) return null;
  // The first row is where everybody starts: it is no place anybody chose.
  const key = cell && row > 0 ? before.keyOf(cell.rows, cell.index) : null;
  if (!key) return null;
  try {
    return await after.find(key);
  } catch {
    return null; // a place is a comfort, not a reason to fail
  }
}
