// Keeps the store up to date with the connections to servers, follows their processes, and asks before writes to a production database.
import type { DatabaseId, Work } from '#shared/protocol/index.ts';
import { client, remoteClients } from '../connection/database-client.ts';
import type { RemoteClient } from '../connection/remote-clients.ts';
import { shell } from '../connection/shell.ts';
import { notifyFailure, refreshLibrary } from '../state/databases.ts';
import { connectionOf } from '../state/slices/remote.ts';
import { choose, countRows, notify, putConnections, useStore } from '../state/store.ts';
import { noteEnded } from './unresponsive-work.ts';

const A_WHILE_MS = 600_000;

export function startConnections(): void {
  shell.remote.onChanged((list) => {
    putConnections(list);
    void refreshLibrary().catch(notifyFailure);
  });
  client.on('remote.rowsCounted', ({ database, ...rows }) => countRows(database, rows));
  client.onAskToWrite(askToWrite);
  remoteClients.followAll((remote) => follow(remote));
}

function follow({ database, client: remote, owns }: RemoteClient): void {
  const others = (works: readonly Work[]): readonly Work[] => works.filter((work) => !owns(work));
  remote.onStatus(({ info }) => {
    noteEnded(useStore.getState().works.filter(owns));
    useStore.setState(({ remoteEngines, works }) => ({
      works: others(works),
      ...(info && { remoteEngines: { ...remoteEngines, [database]: info.engine } }),
    }));
  });
  remote.on('work.changed', ({ works: changed }) =>
    useStore.setState(({ works }) => ({ works: [...others(works), ...changed] })),
  );
  remote.onReconnected(() => {
    const name = connectionOf(useStore.getState(), database)?.name;
    if (name === undefined) return;
    notify({
      tone: 'warning',
      topic: database,
      text: `The connection to “${name}” was restarted. Committed changes are on the server; unfinished work was rolled back.`,
    });
  });
}

async function askToWrite(database: DatabaseId): Promise<'once' | number | null> {
  const connection = connectionOf(useStore.getState(), database);
  if (!connection) return null;
  const answer = await choose({
    title: `Write to “${connection.name}”?`,
    body: `“${connection.name}” is a production database (${connection.address}). A change takes effect on the server at once, for everyone.`,
    choices: [
      { id: 'while', label: 'Write, and don’t ask for 10 minutes' },
      { id: 'once', label: 'Write', look: 'danger' },
    ],
  });
  if (answer === null) return null;
  return answer === 'once' ? 'once' : A_WHILE_MS;
}
