// The workers of the host page that measure: one an engine, ended before the next of the same engine begins.
import type { EngineId } from '#shared/bench/engines.ts';
import type { StartBench } from '../host-messages.ts';

const workers = new Map<EngineId, Worker>();

export function startBenchWorker(engine: EngineId, port: MessagePort): void {
  workers.get(engine)?.terminate();
  const worker = new Worker(new URL('./bench-worker.ts', import.meta.url), {
    type: 'module',
    name: `sidelite-bench-${engine}`,
  });
  workers.set(engine, worker);
  worker.postMessage({ engine, port } satisfies StartBench, [port]);
}

/** Also those that are inside SQLite. */
export function endBenchWorkers(): void {
  for (const worker of workers.values()) worker.terminate();
  workers.clear();
}
