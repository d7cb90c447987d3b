// The workers of the host page that measure: one an engine, ended before the next of the same engine begins.
import type { EngineId } from '#shared/bench/engines.ts';
import { domPort } from '#shared/rpc/port.ts';
import { refuse } from '#shared/rpc/server.ts';
import type { StartBench } from '../host-messages.ts';

const workers = new Map<EngineId, Worker>();

export function startBenchWorker(engine: EngineId, port: MessagePort): void {
  workers.get(engine)?.terminate();
  const worker = new Worker(new URL('./bench-worker.ts', import.meta.url), {
    type: 'module',
    name: `sidelite-bench-${engine}`,
  });
  workers.set(engine, worker);
  // The port goes over once the worker listens: if it cannot even be loaded, whoever waits at the other end is told.
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

/** Also those that are inside SQLite. */
export function endBenchWorkers(): void {
  for (const worker of workers.values()) worker.terminate();
  workers.clear();
}
