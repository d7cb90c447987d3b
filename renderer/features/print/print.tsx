// The command that prints the content in front: the rows of a table or result, or the schema of the database.
import { useState } from 'react';
import type { ReactNode } from 'react';
import { isDesktop } from '../../connection/shell.ts';
import { useStore } from '../../state/store.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { offeredExport } from '../../workbench/files/export-request.ts';
import type { ExportChoice, ExportRequest } from '../../workbench/files/export-request.ts';

const PrintDialog = lazyComponent(async () => ({
  default: (await import('./print-dialog.tsx')).PrintDialog,
}));

/** Always mounted; shows something only on request. */
export function Print(): ReactNode {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore((state) => state.currentDatabase);
  const [request, setRequest] = useState<ExportRequest | null>(null);
  const ask = (): void => {
    if (database === null) return;
    const offered = offeredExport();
    const name = useStore.getState().openDatabases[offered?.database ?? database]?.entry.name ?? 'database';
    const schema: ExportChoice = { label: 'Schema', source: { kind: 'schema' }, fileName: `${name} schema` };
    setRequest({ database: offered?.database ?? database, choices: [...(offered?.choices ?? []), schema] });
  };
  useCommand('print.show', ask, isDesktop && isConnected && database !== null);
  return request && <PrintDialog request={request} onClose={() => setRequest(null)} />;
}
