// The life of the database worker as its page sees it: start, clients waiting for it, stop flag, settling, end.
import type { ErrorData } from '#shared/protocol/errors.ts';
import { FLAGS_BYTES, STOP_FLAG } from './host-messages.ts';
import type { HostToWorker, WorkerToHost } from './host-messages.ts';

export interface WorkerClient {
  readonly windowId: string;
  readonly port: MessagePort;
}

export interface DatabaseWorker {
  addClient(client: WorkerClient): void;
  /** Asks whatever runs as work `id` to stop; the worker reads this while it is too busy to read messages. */
  stop(id: number): void;
  /** Resolves once everything is checkpointed and closed. */
  settle(): Promise<void>;
  /**
   * In Electron 22 a terminated worker that listens to the `close` of its ports takes the page's process down with it. Main then
   * starts the page again, which comes to the same.
   */
  terminate(): void;
}

export interface DatabaseWorkerOptions {
  readonly filesPort: MessagePort;
  /** A client that cannot be served, and why. */
  readonly refuse: (client: WorkerClient, error: ErrorData) => void;
}

const DIED: ErrorData = {
  code: 'unavailable',
  message:
    'The database engine could not start. Your databases are untouched. Restart Sidelite; if that does not help, restart the computer.',
};

export function startDatabaseWorker({ filesPort, refuse }: DatabaseWorkerOptions): DatabaseWorker {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'sidelite-database' });
  const flags = new Int32Array(new SharedArrayBuffer(FLAGS_BYTES));
  const post = (message: HostToWorker, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
  let state: 'starting' | 'ready' | 'failed' = 'starting';
  let failure = DIED;
  let waiting: WorkerClient[] = [];
  let settled: (() => void) | undefined;

  const admit = (client: WorkerClient): void => {
    if (state === 'starting') waiting.push(client);
    else if (state === 'failed') refuse(client, failure);
    else post({ t: 'client', ...client }, [client.port]);
  };
  const enter = (next: 'ready' | 'failed'): void => {
    if (state !== 'starting') return; // a later uncaught error is no reason to turn clients away
    state = next;
    const admitted = waiting;
    waiting = [];
    admitted.forEach(admit);
    if (next === 'failed') settled?.();
  };

  worker.onmessage = ({ data }: MessageEvent<WorkerToHost>) => {
    if (data.t === 'settled') return settled?.();
    if (data.t === 'failed') failure = data.error;
    enter(data.t);
  };
  worker.onerror = () => enter('failed');
  worker.onmessageerror = () => enter('failed');
  post({ t: 'init', flags: flags.buffer as SharedArrayBuffer, filesPort }, [filesPort]);

  return {
    addClient: admit,
    stop: (id) => void Atomics.store(flags, STOP_FLAG, id),
    settle: () =>
      new Promise((resolve) => {
        settled = resolve;
        if (state === 'failed') resolve();
        else post({ t: 'settle' });
      }),
    terminate: () => worker.terminate(),
  };
}
