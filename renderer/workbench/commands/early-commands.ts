// Commands chosen while the window is still starting: they run, in their order, as soon as they have a handler.
import type { CommandId } from '#shared/commands.ts';
import { useStore } from '../../state/store.ts';

/**
 * Commands that open or show something. A command that changes or closes something could act on content that the person has not seen yet.
 */
const CAN_WAIT: ReadonlySet<CommandId> = new Set([
  'file.open',
  'file.connect',
  'file.openReplica',
  'file.import',
  'file.importClipboard',
  'file.newDatabase',
  'file.newEncrypted',
  'file.sampleDatabase',
  'library.show',
  'query.new',
  'query.openFile',
  'export.show',
  'search.show',
  'history.show',
  'diagram.show',
  'health.show',
  'schema.compare',
  'savedQueries.show',
  'queryLog.show',
]);

let waiting: readonly CommandId[] = [];

const isStarting = (): boolean => {
  const { isRestoring, connection } = useStore.getState();
  return isRestoring && connection.status !== 'refused';
};

/** Returns false if the command is not kept: the window has started, or waiting does not suit it. */
export function waitForStart(id: CommandId): boolean {
  if (!isStarting() || !CAN_WAIT.has(id)) return false;
  // A person who sees nothing happen presses the key again.
  if (!waiting.includes(id)) waiting = [...waiting, id];
  return true;
}

/** Call when commands have got handlers. `run` returns false if the command has none. */
export function runWaiting(run: (id: CommandId) => boolean): void {
  for (let first = waiting[0]; first !== undefined && run(first); first = waiting[0]) waiting = waiting.slice(1);
}

/** Forgets commands that cannot run in the restored window. */
export function forgetWaitingAfterStart(): void {
  const stop = useStore.subscribe(() => {
    if (isStarting()) return;
    stop();
    // The handlers of restored tabs are registered in the microtasks after this change.
    setTimeout(() => (waiting = []));
  });
}
