// What is shown over the grid while rows are missing: they are being read, reading them was stopped, or there are none.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { toAppError } from '#shared/protocol/errors.ts';
import { notifyFailure } from '../../state/databases.ts';
import { RowsProgress } from '../../workbench/rows/rows-progress.tsx';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { TableTab, TableView } from '../../workbench/table-tabs.ts';
import { changeView } from './change-view.ts';
import { EmptyTable, StoppedTable } from './empty-table.tsx';

interface RowsKnown {
  /** `unknown`: none is here yet, and there may be some. */
  readonly count: 'some' | 'none' | 'unknown';
  readonly isStopped: boolean;
  /** Call when the grid has come to rest. */
  settled(): void;
  /** Call when rows could not be read. */
  failed(error: unknown): void;
}

export function useRowsKnown(source: TableSource): RowsKnown {
  const [count, setCount] = useState<RowsKnown['count']>('some');
  const [stopped, setStopped] = useState<TableSource | null>(null);
  return {
    count,
    isStopped: stopped === source,
    settled() {
      const { rows, exact } = source.extent;
      setCount(rows > 0 ? 'some' : exact ? 'none' : 'unknown');
    },
    failed(error) {
      if (toAppError(error).code === 'stopped') setStopped(source);
      notifyFailure(error);
    },
  };
}

interface InPlaceOfRowsProps {
  readonly tab: TableTab;
  readonly source: TableSource;
  readonly known: RowsKnown;
  /** The row being added is there. */
  readonly isAdding: boolean;
  onRetry(): void;
}

export function InPlaceOfRows({ tab, source, known, isAdding, onRetry }: InPlaceOfRowsProps): ReactNode {
  const { count, isStopped } = known;
  if (count === 'unknown' && isStopped) return <StoppedTable onRetry={onRetry} />;
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
