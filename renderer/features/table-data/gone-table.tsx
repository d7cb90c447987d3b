// Shown in place of a table or view that no longer exists. If it is created again, its rows appear.
import type { ReactNode } from 'react';
import { visibleName } from '#shared/visible-text.ts';
import { closeTab, useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { stepBackOrForth } from '../../workbench/history/history.ts';
import type { TableTab } from '../../workbench/tabs/table.ts';

export function GoneTable({ tab: { id, database, table } }: { readonly tab: TableTab }): ReactNode {
  const undo = useStore(({ histories }) => histories[database]?.undo ?? null);
  const close = (): void => {
    closeTab(id);
    focusContent();
  };
  return (
    <div className="stack shrink-x shrink-y full-height gap-14 centered table-data failed-table" role="alert">
      <p>“{visibleName(table)}” no longer exists.</p>
      <div>
        {undo && <Button onClick={() => void stepBackOrForth('undo', database)}>Undo {visibleName(undo.title)}</Button>}
        <Button onClick={close}>Close tab</Button>
      </div>
    </div>
  );
}
