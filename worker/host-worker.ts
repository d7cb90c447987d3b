// The lifecycle of the database worker from the view of its page: start, clients waiting for it, its current work, settling, end.
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { Work } from '#shared/protocol/session.ts';
import type { HostToWorker, WorkerToHost } from './threads/host-messages.ts';
import { WorkStatusBuffer } from './threads/work-status-buffer.ts';
import { WorkWatch } from './threads/work-watch.ts';

export interface WorkerClient {
  readonly windowId: string;
  readonly port: MessagePort;
  /** Whether the window has closed while it waited, if that is known: its port can then no longer be handed over. */
  readonly isClosed?: () => boolean;
}

export interface DatabaseWorker {
  addClient(client: WorkerClient): void;
  readonly watch: WorkWatch;
  /** Resolves once everything is checkpointed and closed. */
  settle(): Promise<void>;
  /**
   * In Electron 22 a terminated worker that listens to the `close` of its ports takes the page's process down with it. Main then
   * restarts the page, which has the same effect.
   */
  terminate(): void;
}

interface DatabaseWorkerOptions {
  readonly filesPort: MessagePort;
  /** A client that cannot be served, and why. */
  readonly refuse: (client: WorkerClient, error: ErrorData) => void;
  readonly onWork: (works: readonly Work[]) => void;
  /** Same as {@link loadDatabaseWorker}. */
  readonly start?: () => WorkerLike;
}

/** The part of a `Worker` that this needs. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent<WorkerToHost>) => void) | null;
  onerror: ((event: never) => void) | null;
  onmessageerror: ((event: never) => void) | null;
  postMessage(message: HostToWorker, transfer: Transferable[]): void;
  terminate(): void;
}

const startReal = (): WorkerLike =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'sidelite-database' });

/**
 * Loads the code of the next worker while its page waits for the library. The worker does nothing else until it gets its first message.
 * Returns what starts it: the worker that has loaded or is loading, and a new one after that, or if it could not be loaded.
 */
export function loadDatabaseWorker(start = startReal): () => WorkerLike {
  let loading: WorkerLike | null = start();
  loading.onerror = () => (loading = null);
  return () => {
    const loaded = loading ?? start();
    loading = null;
    return loaded;
  };
}

const every = (intervalMs: number, look: () => void): (() => void) => {
  const timer = setInterval(look, intervalMs);
  return () => clearInterval(timer);
};

const DIED: ErrorData = {
  code: 'unavailable',
  message:
    'The database engine could not start. Your databases are untouched. Restart Sidelite; if that does not help, restart the computer.',
};

export function startDatabaseWorker(options: DatabaseWorkerOptions): DatabaseWorker {
  const { filesPort, refuse, onWork, start = startReal } = options;
  const worker = start();
  const workStatus = new WorkStatusBuffer();
  const watch = new WorkWatch(workStatus, { now: Date.now, every, tell: onWork });
  const post = (message: HostToWorker, transfer: Transferable[] = []): void => worker.postMessage(message, transfer);
  let state: 'starting' | 'ready' | 'failed' = 'starting';
  let failure = DIED;
  let waiting: WorkerClient[] = [];
  /** Callers waiting for `settled`, which arrives once for each, in order. */
  const settling: (() => void)[] = [];

  const admit = (client: WorkerClient): void => {
    if (state === 'starting') waiting.push(client);
    else if (client.isClosed?.()) return;
    else if (state === 'failed') refuse(client, failure);
    else post({ t: 'client', windowId: client.windowId, port: client.port }, [client.port]);
  };
  const enter = (next: 'ready' | 'failed'): void => {
    if (state !== 'starting') return; // a later uncaught error is no reason to reject clients
    state = next;
    const admitted = waiting;
    waiting = [];
    admitted.forEach(admit);
    if (next === 'failed') settling.splice(0).forEach((resolve) => resolve());
  };

  worker.onmessage = ({ data }: MessageEvent<WorkerToHost>) => {
    if (data.t === 'settled') return settling.shift()?.();
    if (data.t === 'busy') return watch.wake();
    if (data.t === 'failed') failure = data.error;
    enter(data.t);
  };
  worker.onerror = () => enter('failed');
  worker.onmessageerror = () => enter('failed');
  post({ t: 'init', workStatus: workStatus.memory, filesPort }, [filesPort]);

  return {
    addClient: admit,
    watch,
    settle: () =>
      new Promise((resolve) => {
        if (state === 'failed') return resolve();
        settling.push(resolve);
        post({ t: 'settle' });
      }),
    terminate() {
      watch.end();
      worker.terminate();
    },
  };
}
