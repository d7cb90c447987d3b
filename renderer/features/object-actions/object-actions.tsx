// Actions on objects: their dialog, and the commands for the table in front.
import { useRef, type ReactNode } from 'react';
import { whyReadOnly, notifyFailure } from '../../state/databases.ts';
import { useSchema } from '../../state/schema.ts';
import { activeTab, showLibrary, useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { askCopyTable, canCopyTable, useCopyTableRequest } from '../../workbench/objects/copy-table-request.ts';
import { focusContent } from '../../workbench/commands/focus-content.ts';
import { actionsOf, askObjectAction, useObjectActionRequest } from '../../workbench/objects/object-actions.ts';
import type { ObjectAction } from '../../workbench/objects/object-actions.ts';
import { showObjectSql, useObjectSqlRequest, closeObjectSql, sqlOf } from '../../workbench/objects/object-sql.ts';
import type { ObjectSqlRequest } from '../../workbench/objects/object-sql.ts';
import { isTableTab } from '../../workbench/tabs/table.ts';
import { openUses } from '../../workbench/tabs/uses.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { visibleName } from '#shared/visible-text.ts';
import { shell } from '../../connection/shell.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { designedKind, KIND_WORDS, openObjectDesign } from '../../workbench/tabs/design.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import '../../ui/form-dialog.css';
import './object-action.css';

// The statement reader is loaded with the first action.
const ObjectActionDialog = lazyComponent(async () => ({
  default: (await import('./object-action-dialog.tsx')).ObjectActionDialog,
}));

const CopyTableDialog = lazyComponent(async () => ({
  default: (await import('./copy-table-dialog.tsx')).CopyTableDialog,
}));

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

const AUTOMATIC = 'SQLite made this index for a UNIQUE or PRIMARY KEY constraint of its table. It has no statement.';

function ObjectSqlDialog({ request: { database, object } }: { readonly request: ObjectSqlRequest }): ReactNode {
  const objects = useSchema(database)?.objects ?? [];
  const sql = sqlOf(object, objects);
  const kind = designedKind(object);
  const copyButton = useRef<HTMLButtonElement>(null);
  const closing = (run: () => unknown) => (): void => {
    closeObjectSql();
    run();
  };
  return (
    <Dialog
      title={`SQL of ${visibleName(object.name)}`}
      wide
      initialFocus={copyButton}
      onClose={closeObjectSql}
      footer={
        <>
          {kind !== null && (
            <Button onClick={closing(() => openObjectDesign(database, object))}>{`Design ${KIND_WORDS[kind]}`}</Button>
          )}
          <Button
            why={sql === null ? AUTOMATIC : null}
            onClick={closing(() => openQuery(database, { sql: `${sql}\n` }))}
          >
            Open in SQL tab
          </Button>
          <Button
            ref={copyButton}
            variant="primary"
            why={sql === null ? AUTOMATIC : null}
            onClick={closing(() => void shell.writeClipboard(sql ?? '').catch(notifyFailure))}
          >
            Copy
          </Button>
        </>
      }
    >
      <section className="form-text" aria-label="SQL" tabIndex={0}>
        {sql === null ? <p>{AUTOMATIC}</p> : <pre>{sql}</pre>}
      </section>
    </Dialog>
  );
}
