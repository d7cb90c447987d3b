// Keeps the store up to date with the connections to servers, tells of those that were restarted, and asks before writes to a production
// database.
import type { DatabaseId, TokenProblem } from '#shared/protocol/index.ts';
import { client, processClients } from '../../connection/database-client.ts';
import type { ProcessClient } from '../../connection/process-clients.ts';
import { shell } from '../../connection/shell.ts';
import { forgetUnreached, notifyFailure, refreshLibrary } from '../../state/databases.ts';
import { connectionOf } from '../../state/slices/remote.ts';
import { choose, countRows, editConnection, notify, putConnections, useStore } from '../../state/store.ts';

const A_WHILE_MS = 600_000;

export function startConnections(): void {
  shell.remote.onChanged((list) => {
    putConnections(list);
    void refreshLibrary().catch(notifyFailure);
  });
  client.on('remote.rowsCounted', ({ database, ...rows }) => countRows(database, rows));
  client.onAskToWrite(askToWrite);
  client.onTokenProblem(tellOfToken);
  processClients.followAll((process) => follow(process));
}

function follow({ database, client: remote }: ProcessClient): void {
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

const TOKEN_PROBLEMS: Readonly<Record<TokenProblem, (name: string) => string>> = {
  missing: (name) => `The server of “${name}” requires a token.`,
  expired: (name) => `The token of “${name}” has expired.`,
  rejected: (name) => `The server of “${name}” does not accept the token.`,
  forbids: (name) => `The token of “${name}” may be for reading only.`,
};

/** The failed action says why; this notice offers a remedy. */
function tellOfToken(database: DatabaseId, problem: TokenProblem): void {
  const { notices } = useStore.getState();
  const connection = connectionOf(useStore.getState(), database);
  if (!connection) return;
  const text = TOKEN_PROBLEMS[problem](connection.name);
  // Every further page fails for the same reason.
  if (notices.some((notice) => notice.topic === database && notice.text === text)) return;
  const mark = { label: 'Mark as read-only', run: () => void markReadOnly(database) };
  const edit = { label: 'Edit connection', run: () => editConnection(connectionOf(useStore.getState(), database)) };
  notify({
    tone: 'warning',
    topic: database,
    text,
    action: problem === 'forbids' && !connection.readOnly ? mark : edit,
  });
}

async function markReadOnly(database: DatabaseId): Promise<void> {
  try {
    const connection = connectionOf(useStore.getState(), database);
    if (!connection) return;
    const { address, name, color, production } = connection;
    const draft = { database, address, name, color, production, readOnly: true, token: null };
    const saved = await shell.remote.save(draft);
    if ('why' in saved) notify({ tone: 'error', text: saved.why });
    else forgetUnreached(database);
  } catch (thrown) {
    notifyFailure(thrown);
  }
}

async function askToWrite(database: DatabaseId): Promise<'once' | number | null> {
  const connection = connectionOf(useStore.getState(), database);
  if (!connection) return null;
  const answer = await choose({
    title: `Write to “${connection.name}”?`,
    body: `“${connection.name}” is a production database (${connection.address}). A change takes effect on the server at once, for everyone.`,
    choices: [
      { id: 'while', label: 'Write, and don’t ask again for 10 minutes' },
      { id: 'once', label: 'Write', variant: 'danger' },
    ],
  });
  if (answer === null) return null;
  return answer === 'once' ? 'once' : A_WHILE_MS;
}
