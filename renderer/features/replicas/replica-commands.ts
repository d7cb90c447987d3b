// The command that opens the dialog of replicas.
import { isDesktop } from '../../connection/shell.ts';
import { useStore } from '../../state/store.ts';
import { useCommand } from '../../workbench/commands/commands.ts';
import { openReplicas } from './replica-session.ts';

export function useReplicaCommands(): void {
  const isConnected = useStore((state) => state.connection.status === 'connected');
  useCommand('file.openReplica', () => void openReplicas(), isDesktop && isConnected);
}
