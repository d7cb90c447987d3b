// The command that opens the dialog for a new connection.
import { isDesktop } from '../../connection/shell.ts';
import { editConnection, useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';

export function useConnectCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  useCommand('file.connect', () => editConnection('new'), isDesktop && isConnected);
}
