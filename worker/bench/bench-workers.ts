// Workers that measure in the host: one per engine, ended before the next of the same engine begins; one engine needs the page itself.
import type { EngineId } from '#shared/bench/engines.ts';
import { domPort } from '#shared/rpc/port.ts';
import { refuse } from '#shared/rpc/server.ts';
import type { StartBench } from '../threads/host-messages.ts';

/** Needs features that only a window has. */
const IN_PAGE: EngineId = 'kvvfs';

const workers = new Map<EngineId, Worker>();

export function startBenchWorker(engine: EngineId, port: MessagePort): void {
  if (engine === IN_PAGE) return void startInPage(port);
  workers.get(engine)?.terminate();
  const worker = new Worker(new URL('./bench-worker.ts', import.meta.url), {
    type: 'module',
    name: `sidelite-bench-${engine}`,
  });
  workers.set(engine, worker);
  // The port is handed over once the worker listens. If the worker cannot even be loaded, the other end of the port gets the error.
  worker.onmessage = () => {
    worker.onerror = null;
    worker.postMessage({ engine, port } satisfies StartBench, [port]);
  };
  worker.onerror = () =>
    refuse(domPort(port), {
      code: 'unavailable',
      message: 'The worker that measures this engine could not be started.',
    });
}

async function startInPage(port: MessagePort): Promise<void> {
  try {
    const { serveInPage } = await import('./bench-page.ts');
    serveInPage(IN_PAGE, domPort(port));
  } catch {
    refuse(domPort(port), {
      code: 'unavailable',
      message: 'The code that measures this engine could not be loaded.',
    });
  }
}

/** Ends a worker even inside SQLite; one in this page cannot be ended, and is done when this is called. */
export function endBenchWorker(engine: EngineId): void {
  workers.get(engine)?.terminate();
  workers.delete(engine);
}

/** Ends all workers, even inside SQLite; the one in this page is done when this is called. */
export function endBenchWorkers(): void {
  for (const worker of workers.values()) worker.terminate();
  workers.clear();
  for (const key of Object.keys(localStorage)) if (key.startsWith('kvvfs-')) localStorage.removeItem(key);
}
