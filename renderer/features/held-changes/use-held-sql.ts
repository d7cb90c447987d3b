// The SQL of held changes, which requires the names of the key columns of their tables.
import { useEffect, useState } from 'react';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import { shell } from '../../connection/shell.ts';
import { notify } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import type { HeldTables, PendingChange } from '../../workbench/held/held-changes.ts';
import { changeSql } from '../../workbench/held/held-sql.ts';
import { keyNamesInSql } from '../../workbench/held/held-store.ts';

export function useHeldSql(database: DatabaseId, tables: HeldTables): (pending: PendingChange) => string {
  const keyNames = useKeyNames(database, [...tables.keys()]);
  return ({ change }) => changeSql(change, keyNames[change.table] ?? ['rowid']);
}

/** Copies all of them, as a script that can be run elsewhere. */
export function copySql(pending: readonly PendingChange[], sqlOf: (pending: PendingChange) => string): void {
  const text = pending.map((each) => `${sqlOf(each)};\n`).join('');
  void shell.writeClipboard(pending.length > 1 ? `BEGIN;\n${text}COMMIT;\n` : text);
  notify({ tone: 'success', text: `Copied the SQL of ${plural(pending.length, 'change')}.` });
}

/** Key columns by table; tables whose keys are not known yet are missing. */
function useKeyNames(database: DatabaseId, tables: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const [names, setNames] = useState<Readonly<Record<string, readonly string[]>>>({});
  const wanted = tables.join('\0');
  useEffect(() => {
    let isWanted = true;
    for (const table of wanted === '' ? [] : wanted.split('\0'))
      client.call('schema.table', { database, table }).then(
        (detail) => isWanted && setNames((before) => ({ ...before, [table]: keyNamesInSql(detail) })),
        () => undefined, // a table that is gone: its changes say so
      );
    return () => {
      isWanted = false;
    };
  }, [database, wanted]);
  return names;
}
