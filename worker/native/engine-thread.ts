// The thread of the native engine: the counterpart of `worker.ts`. The process around it stays free to end it.
import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort, Worker } from 'node:worker_threads';
import { toErrorData } from '#shared/protocol/errors.ts';
import type { FileOperations } from '#shared/protocol/files.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { useReadingThreads } from '../import/thread/reading-thread.ts';
import type { WorkerToHost } from '../threads/host-messages.ts';
import { useSpoolStorage } from '../readers/spool-storage.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import type { FromNative, ThreadData, ToThread as ToThreadWith } from '#shared/native-link.ts';
import { NativeServer } from './native-server.ts';
import { readingThread } from './reading-threads.ts';
import { temporarySpool } from './spool-files.ts';

export type ToThread = ToThreadWith<MessagePort>;

/** @param startReading a thread that calls `serveReadingThread` */
export function runEngineThread(startReading: () => Worker): void {
  const tell = (message: WorkerToHost | FromNative): void => parentPort!.postMessage(message);
  let starting: Promise<NativeServer> | null = null;

  const start = async ({ board, filesPort }: Extract<ToThread, { t: 'init' }>): Promise<NativeServer> => {
    const { historyFolder, command } = workerData as ThreadData;
    const engine = await createNativeEngine();
    useSpoolStorage(temporarySpool);
    useReadingThreads(() => readingThread(startReading()));
    const files = createClient<FileOperations, Record<string, never>>(domPort(filesPort as never));
    return new NativeServer({
      engine,
      files,
      historyFolder,
      ...(command && { command }),
      board: new WorkStatusBuffer(board),
      onBusy: () => tell({ t: 'busy' }),
    });
  };

  const receive = async (message: ToThread): Promise<void> => {
    if (message.t === 'init') {
      starting = start(message);
      await starting;
      return tell({ t: 'ready' });
    }
    const server = await starting;
    if (message.t === 'client') server?.serve(message.windowId, domPort(message.port as never));
    else if (message.t === 'file') {
      server?.addFile(message.file, message.windowId);
      tell({ t: 'known', request: message.request });
    } else {
      server?.settle();
      tell({ t: 'settled' });
    }
  };

  parentPort!.on('message', (message: ToThread) => {
    receive(message).catch((error: unknown) => {
      if (message.t === 'init') tell({ t: 'failed', error: toErrorData(error) });
      // The window that opens the file gets the reason then.
      else if (message.t === 'file') tell({ t: 'known', request: message.request });
      else if (message.t === 'settle') tell({ t: 'settled' }); // what is committed is safe in the files
    });
  });
}
