// The thread of an engine process that serves windows: the counterpart of `worker.ts`. The process around it stays free to end it.
import { parentPort, type MessagePort } from 'node:worker_threads';
import type { FromNative, FromRemote, ToThread as ToThreadWith } from '#shared/native-link.ts';
import { toErrorData } from '#shared/protocol/errors.ts';
import type { FileOperations } from '#shared/protocol/files.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort, type Port } from '#shared/rpc/port.ts';
import { refuse } from '#shared/rpc/server.ts';
import type { FileClient } from '../library/files.ts';
import { useSpoolStorage } from '../readers/spool-storage.ts';
import type { WorkerToHost } from '../threads/host-messages.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { removeScratchFolders } from './scratch-folders.ts';
import { temporarySpool } from './spool-files.ts';

export type ToThread = ToThreadWith<MessagePort>;

/** Parts of the servers for files in place and remote databases. */
export interface ServerParts {
  readonly files: FileClient;
  readonly workStatus: WorkStatusBuffer;
  readonly onBusy: () => void;
}

export interface ThreadServer {
  serve(windowId: string, port: Port): void;
  /** Rolls back open transactions and closes all databases. */
  settle(): void;
}

type Special = Exclude<ToThread, { t: 'init' | 'client' | 'settle' }>;
type Answer = Exclude<FromNative | FromRemote, { t: 'settled' }>;

/**
 * @param start called once, with the first message; `tell` sends to main what it has not asked for
 * @param answer deals with messages of one kind of server only; what it returns goes to main
 */
export function runServerThread<S extends ThreadServer>(
  start: (parts: ServerParts, tell: (message: Answer) => void) => Promise<S>,
  answer: (message: Special, server: S | null) => Promise<Answer | null>,
): void {
  const tell = (message: WorkerToHost | Answer): void => parentPort!.postMessage(message);
  let starting: Promise<S> | null = null;

  const begin = ({ workStatus, filesPort }: Extract<ToThread, { t: 'init' }>): Promise<S> => {
    useSpoolStorage(temporarySpool);
    const parts: ServerParts = {
      files: createClient<FileOperations, Record<string, never>>(domPort(filesPort as never)),
      workStatus: new WorkStatusBuffer(workStatus),
      onBusy: () => tell({ t: 'busy' }),
    };
    return start(parts, tell);
  };
  const receive = async (message: ToThread): Promise<void> => {
    if (message.t === 'init') {
      starting = begin(message);
      await starting;
      return tell({ t: 'ready' });
    }
    if (message.t === 'client') {
      const port = domPort(message.port as never);
      await starting!.then(
        (server) => server.serve(message.windowId, port),
        (error: unknown) => refuse(port, toErrorData(error)),
      );
      return;
    }
    // Later messages are answered, too, where a server could not start.
    const server = (await starting?.catch(() => null)) ?? null;
    if (message.t === 'settle') {
      try {
        server?.settle();
      } finally {
        removeScratchFolders();
      }
      tell({ t: 'settled' });
    } else {
      const reply = await answer(message, server);
      if (reply) tell(reply);
    }
  };

  parentPort!.on('message', (message: ToThread) => {
    receive(message).catch((error: unknown) => {
      if (message.t === 'init') tell({ t: 'failed', error: toErrorData(error) });
      else if (message.t === 'settle') tell({ t: 'settled' }); // commits are safe
    });
  });
}
