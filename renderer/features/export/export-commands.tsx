// The command that exports the content in front: a table or result if one is shown, otherwise the database.
import type { ReactNode } from 'react';
import { useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { offeredExport, showExport, useExportRequest } from '../../workbench/files/export-request.ts';
import { ExportDialog } from './export-dialog.tsx';

export function Export(): ReactNode {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  const database = useStore((state) => state.currentDatabase);
  const request = useExportRequest((state) => state.request);
  const ask = (): void => {
    if (database) showExport(offeredExport() ?? { database, choices: [] });
  };
  useCommand('export.show', ask, isConnected && database !== null);
  return request && <ExportDialog request={request} />;
}
