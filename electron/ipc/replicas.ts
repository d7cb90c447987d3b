// What a window may ask about Litestream replicas: it names a location once, chooses one of its moments, and gets a database of its own.
import { dirname } from 'node:path';
import { app, dialog } from 'electron';
import type { LastFolder } from '../last-folder.ts';
import type { NativeEngine } from '../native/native-engine.ts';
import { replicaInFolder, replicaInStorage, readStorageDraft } from '../replicas/replica-locations.ts';
import type { ReplicaLocation } from '../replicas/replica-locations.ts';
import type { Replicas } from '../replicas/replicas.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import type { AppWindow } from '../windows/registry.ts';

const IS_PAST =
  'This is a temporary copy of an earlier state, restored from a replica. To change it, export it as a SQLite file and open that.';

export function serveReplicas(
  { answer }: TrustedIpc,
  replicas: Replicas,
  native: NativeEngine,
  lastFolder: LastFolder,
): void {
  const startIn = (): string => lastFolder.get() ?? app.getPath('documents');
  const named = ({ windowId }: AppWindow, location: ReplicaLocation | { readonly why: string }) =>
    'why' in location ? location : { replica: replicas.name(windowId, location) };
  answer('replica.program', () => replicas.program.find());
  answer('replica.chooseProgram', async ({ browserWindow }) => {
    const { canceled, filePaths } = await dialog.showOpenDialog(browserWindow, {
      title: 'Find Litestream',
      properties: ['openFile'],
    });
    return canceled || filePaths[0] === undefined ? null : replicas.program.choose(filePaths[0]);
  });
  answer('replica.chooseFolder', async (window) => {
    const { canceled, filePaths } = await dialog.showOpenDialog(window.browserWindow, {
      title: 'Open Replica Folder',
      defaultPath: startIn(),
      properties: ['openDirectory', 'showHiddenFiles'],
    });
    if (canceled || filePaths[0] === undefined) return null;
    lastFolder.set(dirname(filePaths[0]));
    return named(window, replicaInFolder(filePaths[0]));
  });
  answer('replica.reachStorage', (window, draft) => named(window, replicaInStorage(readStorageDraft(draft))));
  answer('replica.moments', ({ windowId }, replica) => replicas.moments(windowId, text(replica)));
  answer('replica.restore', (window, argument) => restore(replicas, native, window, argument));
  answer('replica.written', ({ windowId }, replica) => replicas.written(windowId, text(replica)));
  answer('replica.stop', ({ windowId }, replica) => replicas.stop(windowId, text(replica)));
  answer('replica.leave', ({ windowId }, replica) => replicas.leave(windowId, text(replica)));
  answer('replica.discard', (window, argument) => {
    const database = text(argument);
    const restored = replicas.discard(window.windowId, database);
    if (restored !== null) native.forgetTemporary(window, restored);
  });
}

async function restore(replicas: Replicas, native: NativeEngine, window: AppWindow, argument: unknown) {
  const { replica, txid } = (typeof argument === 'object' && argument !== null ? argument : {}) as Record<
    string,
    unknown
  >;
  const why = native.serve(window);
  if (why !== null) return { why: `Restored databases cannot be opened. ${why}` };
  const file = await replicas.restore(window.windowId, text(replica), text(txid));
  if (!('restored' in file)) return file;
  const { restored: id, path, name, displayPath: location } = file;
  const shown = { displayPath: `restored from ${location}`, whyReadOnly: IS_PAST };
  return { database: await native.openTemporary(window, { id, path, name, ...shown }) };
}
