// Stopping what this window runs: withdrawn from the queue by the data port, interrupted by the control port when it has begun.
import { client } from './database-client.ts';
import { shell } from './shell.ts';
import { useStore } from './store.ts';

/** A busy worker reads no port: only the host page can reach it, and needs the id that work over 150 ms is announced with. */
export async function stopOwnWork(controller: AbortController, ended: Promise<unknown>): Promise<void> {
  controller.abort();
  const { windowId } = await shell.windowInfo();
  const asked = new Set<number>();
  const askHost = (): void => {
    const { work } = useStore.getState();
    if (!work || work.windowId !== windowId || asked.has(work.id)) return;
    asked.add(work.id);
    client.control('work.stop', { id: work.id }).catch(() => undefined);
  };
  askHost();
  const unsubscribe = useStore.subscribe(askHost);
  await ended;
  unsubscribe();
}
