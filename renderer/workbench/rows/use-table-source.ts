// Opens the reader behind a table, again whenever sort, filter, schema or connection change, and keeps the old rows until then.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId, Work } from '#shared/protocol/index.ts';
import { rowsKey } from '#shared/rows-key.ts';
import { client } from '../../connection/database-client.ts';
import type { TableView } from '../table-tabs.ts';
import { wasEndedFor } from '../unresponsive-work.ts';
import { useOwnWindowId } from '../../connection/use-own-window-id.ts';
import type { GridHandle } from '../../grid/grid.tsx';
import { TableSource } from './table-source.ts';
import { useSchema } from '../../state/schema.ts';

interface ShownTable {
  readonly database: DatabaseId;
  readonly table: string;
  readonly view: Pick<TableView, 'sort' | 'filter' | 'where'>;
}

export interface OpenedTable {
  /** The last one that could be opened; null if the table no longer exists. */
  readonly source: TableSource | null;
  readonly isGone: boolean;
  /** Why the present sort, filter or table could not be opened. */
  readonly error: AppError | null;
  retry(): void;
}

/** What failed, so that it is not shown beside what was asked afterwards. */
interface Failure extends Pick<TableView, 'where' | 'filter'> {
  readonly error: AppError;
}

/** @param grid where the current row stays in view when the order changes; null for none */
export function useTableSource(
  { database, table, view: { sort, filter, where } }: ShownTable,
  grid: RefObject<GridHandle | null> | null,
): OpenedTable {
  const [source, setSource] = useState<TableSource | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const windowId = useOwnWindowId();
  const current = useRef<TableSource | null>(null);

  useEffect(() => {
    let isOutdated = false;
    const adopt = async (): Promise<void> => {
      const opened = await TableSource.open(database, table, { sort, filter, where });
      if (isOutdated) return opened.close();
      const goTo = await placeToGo(current.current, opened, grid?.current ?? null);
      if (isOutdated) return opened.close();
      current.current?.close();
      current.current = opened;
      setFailure(null);
      setSource(opened);
      if (goTo !== null) requestAnimationFrame(() => grid?.current?.goTo(goTo));
    };
    adopt().catch((thrown: unknown) => !isOutdated && setFailure({ error: toAppError(thrown), where, filter }));
    return () => {
      isOutdated = true;
    };
  }, [database, table, sort, filter, where, attempt, grid]);
  useEffect(() => () => current.current?.close(), []);
  useEffect(() => {
    const reopen = (): void => setAttempt((count) => count + 1);
    const stopSchema = client.on(
      'database.changed',
      (change) => change.database === database && change.schema && reopen(),
    );
    const stopReconnect = client.onReconnected(() => {
      const rowsOf = rowsKey(database, table);
      const isOwn = (work: Work): boolean => work.windowId === windowId && work.rowsOf === rowsOf;
      if (!wasEndedFor(isOwn)) return reopen();
      current.current = null;
      setSource(null);
      setFailure({ error: endedForThis(table), where, filter });
    });
    return () => {
      stopSchema();
      stopReconnect();
    };
  }, [database, table, where, filter, windowId]);
  const error = failure && failure.where === where && failure.filter === filter ? failure.error : null;
  const isGone = useIsGone(database, table, error);
  return { source: isGone ? null : source, isGone, error, retry: () => setAttempt((count) => count + 1) };
}

/** A table that was only renamed is in the schema as soon as its tab has the new name. */
function useIsGone(database: DatabaseId, table: string, error: AppError | null): boolean {
  const schema = useSchema(database);
  return error?.code === 'not-found' && schema !== null && !schema.objects.some(({ name }) => name === table);
}

function endedForThis(table: string): AppError {
  return new AppError({
    code: 'stopped',
    message: `The rows of “${table}” could only be stopped by a restart, so they are not read again automatically. Committed changes are safe.`,
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
  // The first row is where everybody starts: it is no place anybody chose.
  const key = cell && row > 0 ? before.keyOf(cell.rows, cell.index) : null;
  if (!key) return null;
  try {
    return await after.find(key);
  } catch {
    return null; // a place is a comfort, not a reason to fail
  }
}
