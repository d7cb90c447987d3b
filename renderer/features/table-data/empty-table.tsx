// Shown in place of rows when there are none, or they could not be read.
import { useRef, type ReactNode } from 'react';
import { missingText } from '#shared/extensions.ts';
import type { AppError } from '#shared/protocol/errors.ts';
import { visibleText } from '#shared/visible-text.ts';
import type { ObjectKind } from '#shared/protocol/schema.ts';
import { useSchema } from '../../state/schema.ts';
import { commandKeyLabel, runCommand } from '../../workbench/commands/commands.ts';
import { addExtension, whyNoExtensions } from '../../workbench/databases/extensions.ts';
import { defineStandIn, whyNoStandIns } from '../../workbench/databases/stand-ins.ts';
import { useFocusHandedOn } from '../../workbench/commands/use-focus-handed-on.ts';
import { openObjectDesign } from '../../workbench/tabs/design.ts';
import type { TableTab, TableView } from '../../workbench/tabs/table.ts';
import { Button } from '../../ui/button.tsx';

const isFiltered = (view: TableView): boolean => view.filter.length > 0 || view.where !== '';

interface EmptyTableProps {
  readonly view: TableView;
  readonly canAdd: boolean;
  onClear(): void;
}

export function EmptyTable({ view, canAdd, onClear }: EmptyTableProps): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  useFocusHandedOn(element);
  return (
    <div ref={element} className="empty-table" role="status">
      {isFiltered(view) ? (
        <>
          <p>No rows match the filter.</p>
          <Button size="small" onClick={onClear}>
            Clear filter
          </Button>
        </>
      ) : (
        <>
          <p>No rows.</p>
          {canAdd && (
            <Button size="small" onClick={() => runCommand('grid.addRow')}>
              Add row <kbd>{commandKeyLabel('grid.addRow')}</kbd>
            </Button>
          )}
          {canAdd && (
            <Button size="small" onClick={() => runCommand('table.sampleRows')}>
              Fill with sample rows…
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** The table was opened, but none of its rows has been read, and there may be some. */
export function UnreadTable({ error, onRetry }: Pick<FailedTableProps, 'error' | 'onRetry'>): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  useFocusHandedOn(element);
  return (
    <div ref={element} className="empty-table" role="status">
      <p>{error.code === 'stopped' ? 'Reading the rows was stopped.' : error.message}</p>
      <Button size="small" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface FailedTableProps {
  readonly tab: TableTab;
  readonly error: AppError;
  onRetry(): void;
  onChange(change: Partial<TableView>): void;
}

const HAVE_ROWS: ReadonlySet<ObjectKind> = new Set(['table', 'view', 'virtual']);

export function FailedTable({ tab, error, onRetry, onChange }: FailedTableProps): ReactNode {
  const isPlain = !isFiltered(tab.view) && tab.view.sort.length === 0;
  const object = useSchema(tab.database)?.objects.find(({ name, kind }) => name === tab.table && HAVE_ROWS.has(kind));
  const view = object?.kind === 'view' ? object : null;
  const missing = object?.missing;
  return (
    <div className="stack shrink-x shrink-y full-height gap-14 centered table-data failed-table" role="alert">
      <p>{error.message}</p>
      {missing && <p>{visibleText(missingText(missing))}</p>}
      <div>
        {missing && (
          <Button variant="primary" why={whyNoExtensions(tab.database)} onClick={() => void addExtension(tab.database)}>
            Load extension…
          </Button>
        )}
        {missing?.kind === 'function' && (
          <Button why={whyNoStandIns(tab.database)} onClick={() => defineStandIn(tab.database, missing.name)}>
            Define function…
          </Button>
        )}
        <Button onClick={onRetry}>Try again</Button>
        {view && <Button onClick={() => openObjectDesign(tab.database, view)}>Design view</Button>}
        {!isPlain && (
          <Button onClick={() => onChange({ filter: [], where: '', sort: [] })}>
            Open without filter and sort order
          </Button>
        )}
      </div>
    </div>
  );
}
