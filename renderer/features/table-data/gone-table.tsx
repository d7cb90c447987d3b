// Shown in place of a table or view that no longer exists. When it exists again, so do its rows.
import type { ReactNode } from 'react';
import type { AppError } from '#shared/protocol/errors.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useSchema } from '../../state/schema.ts';
import { closeTab, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { focusContent } from '../../workbench/focus-content.ts';
import { stepBackOrForth } from '../../workbench/history.ts';
import type { TableTab } from '../../workbench/table-tabs.ts';

/** A table that was only renamed is in the schema as soon as its tab has the new name. */
export function useIsGone({ database, table }: TableTab, error: AppError | null): boolean {
  const schema = useSchema(database);
  return error?.code === 'not-found' && schema !== null && !schema.objects.some(({ name }) => name === table);
}

export function GoneTable({ tab: { id, database, table } }: { readonly tab: TableTab }): ReactNode {
  const undo = useStore(({ histories }) => histories[database]?.undo ?? null);
  const close = (): void => {
    closeTab(id);
    focusContent();
  };
  return (
    <div className="table-data failed-table" role="alert">
      <p>“{visibleName(table)}” no longer exists.</p>
      <div>
        {undo && <Button onClick={() => void stepBackOrForth('undo', database)}>Undo {visibleName(undo.title)}</Button>}
        <Button onClick={close}>Close tab</Button>
      </div>
    </div>
  );
}
