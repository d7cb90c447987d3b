// What a window may ask about connections to servers. A token comes from a window once and never goes to one.
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { readDraft } from '../remote/connections.ts';
import type { RemoteEngines } from '../remote/remote-engines.ts';
import { text } from '../security/trusted-ipc.ts';
import type { TrustedIpc } from '../security/trusted-ipc.ts';
import { tell } from '../windows/registry.ts';
import type { AppWindows } from '../windows/registry.ts';

export function serveRemote({ answer }: TrustedIpc, windows: AppWindows, engines: RemoteEngines): void {
  const { connections } = engines;
  const announce = (): void => {
    for (const window of windows.all) void tell(window, 'remote.changed', () => connections.list, 'list');
  };
  answer('remote.list', () => connections.list);
  answer('remote.test', (_window, draft) => engines.test(readDraft(draft)));
  answer('remote.save', (_window, argument) => {
    const draft = readDraft(argument);
    const saved = connections.save(draft);
    if (typeof saved === 'string') return { why: saved };
    engines.changed(saved.database);
    announce();
    return { connection: saved };
  });
  answer('remote.remove', (_window, argument) => {
    const database: DatabaseId = text(argument);
    engines.remove(database);
    connections.remove(database);
    announce();
  });
  answer('remote.open', (window, argument) => {
    const database: DatabaseId = text(argument);
    const why = engines.open(window, database);
    if (why === null) connections.noteUse(database);
    return why;
  });
}
