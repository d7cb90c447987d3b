// For tests: the inspector in a thread of Node, where the library starts it as a worker of a browser.
import { Worker } from 'node:worker_threads';
import type { FromInspector, InspectionOrder } from './reply.ts';
import type { InspectorLike } from './inspection.ts';

const THREAD = new URL('../threads/test-threads/delayed-inspector.test-suite.ts', import.meta.url);

/** To be used as the global `Worker`. */
export class InspectorThread implements InspectorLike {
  onmessage: InspectorLike['onmessage'] = null;
  onerror: InspectorLike['onerror'] = null;
  onmessageerror: InspectorLike['onmessageerror'] = null;
  readonly #worker = new Worker(THREAD, { workerData: 1 });

  constructor() {
    this.#worker.on('message', (data: FromInspector) => this.onmessage?.({ data } as MessageEvent<FromInspector>));
    this.#worker.on('error', (error) => this.onerror?.(error as never));
  }

  postMessage(order: InspectionOrder): void {
    this.#worker.postMessage(order);
  }

  terminate(): void {
    void this.#worker.terminate();
  }
}
