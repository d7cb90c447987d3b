// Keeps the store up to date with the processes that serve one database each: which engine they run, and what they are working on.
import type { Work } from '#shared/protocol/index.ts';
import { processClients } from '../../connection/database-client.ts';
import type { ProcessClient } from '../../connection/process-clients.ts';
import { useStore } from '../../state/store.ts';
import { noteEnded } from '../unresponsive-work.ts';

export function startProcessState(): void {
  processClients.followAll((process) => follow(process));
}

function follow({ database, client, owns }: ProcessClient): void {
  const others = (works: readonly Work[]): readonly Work[] => works.filter((work) => !owns(work));
  client.onStatus(({ info }) => {
    noteEnded(useStore.getState().works.filter(owns));
    useStore.setState(({ processEngines, works }) => ({
      works: others(works),
      ...(info && { processEngines: { ...processEngines, [database]: info.engine } }),
    }));
  });
  client.on('work.changed', ({ works: changed }) =>
    useStore.setState(({ works }) => ({ works: [...others(works), ...changed] })),
  );
}
