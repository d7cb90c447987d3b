// The database worker: the only owner of SQLite and OPFS. Starts the engine, then serves each window that the host page sends.
import { AppError, toErrorData } from '#shared/protocol/errors.ts';
import type { FileOperations } from '#shared/protocol/files.ts';
import { trustOwnScripts } from '#shared/trusted-scripts.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createWasmEngine } from './engines/wasm/wasm-engine.ts';
import type { HostToWorker, WorkerToHost } from './threads/host-messages.ts';
import type { FromReading } from './import/thread/reading-messages.ts';
import { useReadingThreads, type ReadingThread } from './import/thread/reading-thread.ts';
import { openCatalogue } from './library/start.ts';
import { startOpfsSpool } from './readers/spool-storage.ts';
import { WindowServer } from './window-server.ts';
import { collectReceived } from './threads/received-bytes.ts';
import { WorkStatusBuffer } from './threads/work-status-buffer.ts';

/** Directory in the origin's private file system. Never rename: the library of every user lies there. */
const POOL_DIRECTORY = 'library';

trustOwnScripts();

const tellHost = (message: WorkerToHost): void => self.postMessage(message);

/** Dedicated workers end with the one that started them. */
function startReading(): ReadingThread {
  const worker = new Worker(new URL('./import/thread/reading-worker.ts', import.meta.url), {
    type: 'module',
    name: 'sidelite-reading',
  });
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as never),
    onMessage: (listener) => {
      worker.onmessage = ({ data }: MessageEvent<FromReading>) => listener(data);
    },
    onLost: (listener) => {
      worker.onerror = worker.onmessageerror = () => listener();
    },
    end: () => worker.terminate(),
  };
}

let starting: Promise<WindowServer> | null = null;

async function start({ workStatus, filesPort }: Extract<HostToWorker, { t: 'init' }>): Promise<WindowServer> {
  const { engine, pool, warmUp } = await createWasmEngine({ pool: { directory: POOL_DIRECTORY } });
  if (!pool) throw AppError.unavailable('This browser cannot keep files for the library (no private file system).');
  const catalogue = await openCatalogue(engine, pool);
  await startOpfsSpool(await navigator.storage.getDirectory());
  useReadingThreads(startReading);
  const port = domPort(filesPort);
  const files = createClient<FileOperations>({
    ...port,
    onMessage: (listener) => port.onMessage(collectReceived(listener)),
  });
  void files.call('source.keepOnly', catalogue.sources()).catch(() => undefined); // repeated at the next start
  warmUp();
  return new WindowServer({
    engine,
    pool,
    catalogue,
    files,
    workStatus: new WorkStatusBuffer(workStatus),
    onBusy: () => tellHost({ t: 'busy' }),
  });
}

async function receive(message: HostToWorker): Promise<void> {
  switch (message.t) {
    case 'init':
      starting = start(message);
      await starting;
      return tellHost({ t: 'ready' });
    case 'client':
      return (await starting)?.serve(message.windowId, domPort(message.port));
    case 'settle':
      (await starting)?.settle();
      return tellHost({ t: 'settled' });
  }
}

self.onmessage = ({ data }: MessageEvent<HostToWorker>) => {
  receive(data).catch((error: unknown) => {
    if (data.t === 'init') tellHost({ t: 'failed', error: toErrorData(error) });
    else if (data.t === 'settle') tellHost({ t: 'settled' }); // commits are safe in the WAL
  });
};
