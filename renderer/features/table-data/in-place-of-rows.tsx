// Shown over the grid while rows are missing: they are being read, could not be read, or there are none.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { toAppError } from '#shared/protocol/errors.ts';
import type { AppError } from '#shared/protocol/errors.ts';
import { notifyFailure } from '../../state/databases.ts';
import { RowsProgress } from '../../workbench/rows/rows-progress.tsx';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { changeView } from './change-view.ts';
import { EmptyTable, UnreadTable } from './empty-table.tsx';

interface RowsKnown {
  /** `unknown`: none has been read yet, and there may be some. */
  readonly count: 'some' | 'none' | 'unknown';
  /** Why rows could not be read the last time; null if they could. */
  readonly failure: AppError | null;
  /** Call when the grid has finished loading. */
  settled(): void;
  /** Call when rows could not be read. */
  failed(error: unknown): void;
}

export function useRowsKnown(source: TableSource): RowsKnown {
  const [count, setCount] = useState<RowsKnown['count']>('some');
  const [failed, setFailed] = useState<{ readonly source: TableSource; readonly error: AppError } | null>(null);
  return {
    count,
    failure: failed?.source === source ? failed.error : null,
    settled() {
      setCount(countOf(source));
    },
    failed(thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'disconnected') setFailed({ source, error });
      // If the number of rows is unknown, the error is shown in their place.
      if (countOf(source) !== 'unknown') notifyFailure(error);
    },
  };
}

function countOf({ extent: { rows, exact } }: TableSource): RowsKnown['count'] {
  if (rows > 0) return 'some';
  return exact ? 'none' : 'unknown';
}

interface InPlaceOfRowsProps {
  readonly tab: TableTab;
  readonly source: TableSource;
  readonly known: RowsKnown;
  /** The row being added is shown. */
  readonly isAdding: boolean;
  onRetry(): void;
}

export function InPlaceOfRows({ tab, source, known, isAdding, onRetry }: InPlaceOfRowsProps): ReactNode {
  const { count, failure } = known;
  if (count === 'unknown' && failure) return <UnreadTable error={failure} onRetry={onRetry} />;
  if (count === 'unknown' || tab.view.sort !== source.view.sort)
    return <RowsProgress database={tab.database} table={tab.table} text={awaitedText(tab.view)} />;
  if (count === 'some' || isAdding) return null;
  return (
    <EmptyTable
      view={tab.view}
      canAdd={source.info.key.kind !== 'none'}
      onClear={() => changeView(tab.id, { filter: [], where: '' })}
    />
  );
}

const awaitedText = ({ sort, filter, where }: TableView): string =>
  sort.length > 0 ? 'Sorting rows' : filter.length > 0 || where !== '' ? 'Looking for rows' : 'Reading rows';
