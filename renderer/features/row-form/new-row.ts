// Stores the row that is being added in a form.
import { byName } from '#shared/by-name.ts';
import { toAppError } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import { notify, updateTab } from '../../state/store.ts';
import type { FormTab } from '../../workbench/tabs/form.ts';
import { saveChanges } from '../../workbench/held/held-store.ts';
import { valueFromText } from '../../workbench/rows/edit-session.ts';
import type { TableSource } from '../../workbench/rows/table-source.ts';
import type { FormSession } from './form-session.ts';

/** Fields without a text get their defaults. Then the form shows the new row, or why SQLite rejected it. */
export async function saveNewRow(tab: FormTab, source: TableSource, session: FormSession): Promise<void> {
  await session.storeNew(async () => {
    try {
      await insert(tab, source, session);
      return null;
    } catch (thrown) {
      return toAppError(thrown).message;
    }
  });
}

async function insert(tab: FormTab, source: TableSource, session: FormSession): Promise<void> {
  const set = byName<Value>();
  source.columns.forEach(({ name }, column) => {
    const draft = session.view.getState().fields.get(name);
    if (draft) set[name] = draft.isNull ? null : valueFromText(source, column, draft.text, 'null');
  });
  const { keys, isHeld } = await saveChanges(source.database, source.detail.name, [{ kind: 'insert', set }]);
  if (isHeld) notify({ tone: 'info', text: 'The new row is held. The table shows it until it is saved.' });
  if (keys[0]) updateTab<FormTab>(tab.id, { key: keys[0] });
}
