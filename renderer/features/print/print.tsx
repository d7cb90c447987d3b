// The command that prints the content in front: the rows of a table or result, a diagram, or the schema of the database.
import { useState, type ReactNode } from 'react';
import { isDesktop } from '../../connection/shell.ts';
import { useStore } from '../../state/store.ts';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { offeredExport, offeredPicture, type ExportChoice } from '../../workbench/files/export-request.ts';
import type { PrintRequest } from './print-dialog.tsx';

const PrintDialog = lazyComponent(async () => ({
  default: (await import('./print-dialog.tsx')).PrintDialog,
}));

export function Print(): ReactNode {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore((state) => state.currentDatabase);
  const [request, setRequest] = useState<PrintRequest | null>(null);
  const ask = (): void => {
    if (database === null) return;
    const offered = offeredExport();
    const name = useStore.getState().openDatabases[offered?.database ?? database]?.entry.name ?? 'database';
    const schema: ExportChoice = { label: 'Schema', source: { kind: 'schema' }, fileName: `${name} schema` };
    const picture = offeredPicture();
    const choices = [...(picture ? [picture] : []), ...(offered?.choices ?? []), schema];
    setRequest({ database: offered?.database ?? database, choices });
  };
  useCommand('print.show', ask, isDesktop && isConnected && database !== null);
  return request && <PrintDialog request={request} onClose={() => setRequest(null)} />;
}
