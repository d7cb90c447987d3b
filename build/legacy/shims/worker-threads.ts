// `node:worker_threads` with threads that have `fetch`, which Node 16 keeps behind a switch.
import { Worker as NodeWorker } from 'node:worker_threads';
import type { WorkerOptions } from 'node:worker_threads';

export { isMainThread, MessageChannel, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';

export class Worker extends NodeWorker {
  constructor(script: string | URL, options: WorkerOptions = {}) {
    super(script, { ...options, execArgv: [...(options.execArgv ?? []), '--experimental-fetch', '--no-warnings'] });
  }
}
