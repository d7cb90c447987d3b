// Actions on objects: their dialog, and the commands for the table in front.
import type { ReactNode } from 'react';
import { whyReadOnly } from '../../state/databases.ts';
import { useSchema } from '../../state/schema.ts';
import { activeTab, showLibrary, useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { askCopyTable, canCopyTable, useCopyTableRequest } from '../../workbench/objects/copy-table-request.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { actionsOf, askObjectAction, useObjectActionRequest } from '../../workbench/objects/object-actions.ts';
import type { ObjectAction } from '../../workbench/objects/object-actions.ts';
import { showObjectSql, useObjectSqlRequest } from '../../workbench/objects/object-sql.ts';
import { isTableTab } from '../../workbench/tabs/table.ts';
import { openUses } from '../../workbench/tabs/uses.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';

// The statement reader is loaded with the first action.
const ObjectActionDialog = lazyComponent(async () => ({
  default: (await import('./object-action-dialog.tsx')).ObjectActionDialog,
}));

const ObjectSqlDialog = lazyComponent(async () => ({
  default: (await import('./object-sql-dialog.tsx')).ObjectSqlDialog,
}));

const CopyTableDialog = lazyComponent(async () => ({
  default: (await import('./copy-table-dialog.tsx')).CopyTableDialog,
}));

/** Always mounted; shows something only on request. */
export function ObjectActions(): ReactNode {
  const request = useObjectActionRequest((state) => state.request);
  const sqlRequest = useObjectSqlRequest((state) => state.request);
  const copyRequest = useCopyTableRequest((state) => state.request);
  useTableCommands();
  return (
    <>
      {request && <ObjectActionDialog request={request} />}
      {sqlRequest && <ObjectSqlDialog request={sqlRequest} />}
      {copyRequest && <CopyTableDialog request={copyRequest} />}
    </>
  );
}

function useTableCommands(): void {
  const tab = useStore((state) => {
    const front = activeTab(state);
    return isTableTab(front) ? front : null;
  });
  const object = useSchema(tab?.database ?? null)?.objects.find(({ name }) => name === tab?.table) ?? null;
  const actions = tab === null || object === null || whyReadOnly(tab.database) !== null ? [] : actionsOf(object);
  const ask = (action: ObjectAction) => (): void =>
    void (tab && object && askObjectAction(tab.database, object, action));
  const showUses = (): void => {
    if (!tab) return;
    showLibrary(false);
    openUses(tab.database, tab.table);
    focusContent();
  };
  useCommand('table.showSql', () => tab && object && showObjectSql(tab.database, object), object !== null);
  useCommand('table.uses', showUses, tab !== null);
  useCommand('table.rename', ask('rename'), actions.includes('rename'));
  useCommand('table.reorder', ask('reorder'), actions.includes('reorder'));
  useCommand('table.duplicate', ask('duplicate'), actions.includes('duplicate'));
  const isCopyable = object !== null && canCopyTable(object);
  useCommand('table.copyTo', () => tab && object && askCopyTable(tab.database, object), isCopyable);
  useCommand('table.empty', ask('empty'), actions.includes('empty'));
  useCommand('table.drop', ask('drop'), actions.includes('drop'));
}
