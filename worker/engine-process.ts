// A process around the thread of an engine: owns the thread, as the host page owns the worker, serves control ports, and stays free. The only
// way to stop one long call of the engine is to end the process.
import { Worker } from 'node:worker_threads';
import type { FromNative, FromRemote, ThreadData, ToNative, ToRemote } from '#shared/native-link.ts';
import type { ControlEvents, ControlOperations } from '#shared/protocol/session.ts';
import { domPort, type Port } from '#shared/rpc/port.ts';
import { refuse, serve, type Server } from '#shared/rpc/server.ts';
import { startDatabaseWorker, type DatabaseWorker, type WorkerLike } from './host-worker.ts';
import { bridge } from './native/bridge.ts';
import { linkToParent } from './native/parent-link.ts';
import type { WorkerToHost } from './threads/host-messages.ts';

/** Answers of the thread to main, not to this process. */
type ToMain = Exclude<FromNative | FromRemote, { t: 'settled' | 'end' }>;
type FromThread = WorkerToHost | ToMain;

/** `process.exit` would wait for the thread, which may stay inside SQLite forever. Commits are already safe. */
const endProcess = (): void => void process.kill(process.pid, 'SIGKILL');

const FOR_MAIN: ReadonlySet<string> = new Set(['replied', 'open', 'tested', 'wrote'] satisfies ToMain['t'][]);
const isForMain = (message: FromThread): message is ToMain => FOR_MAIN.has(message.t);

type ForThread = Extract<ToNative | ToRemote, { t: 'own' | 'try' | 'make' | 'changeKey' | 'file' | 'reach' | 'test' }>;
const FOR_THREAD: ReadonlySet<string> = new Set([
  'own', 'try', 'make', 'changeKey', 'file', 'reach', 'test',
] satisfies ForThread['t'][]); // prettier-ignore
const isForThread = (message: ToNative | ToRemote): message is ForThread => FOR_THREAD.has(message.t);

/** Runs until main ends it. @param start starts the thread of the engine */
export function runEngineProcess(start: () => Worker): void {
  // Applies to files created without a mode. SQLite creates files beside one in place with the permissions of that file.
  process.umask(0o077);
  const link = linkToParent();
  const thread = start();
  const controls = new Set<Server<ControlEvents>>();
  let engine: DatabaseWorker | null = null;

  // Main ends the process, so that it knows that this is no crash. The window that asked sees its port close.
  const endOnRequest = (): void => link.tell({ t: 'end' } satisfies FromNative);

  thread.on('message', (message: FromThread) => isForMain(message) && link.tell(message));
  // Nothing in this process can be saved: the main process starts a new one and informs the windows.
  thread.on('exit', endProcess);
  link.onMessage((raw, ports) => {
    const message = raw as ToNative | ToRemote;
    const [first, second] = ports;
    if (message.t === 'init' && first) {
      engine = startDatabaseWorker({
        filesPort: bridge(first).port as never,
        refuse: ({ port }, error) => refuse(domPort(port as never), error),
        onWork: (works) => {
          for (const control of controls) control.send('work.changed', { works });
        },
        start: () => workerLike(thread),
      });
    } else if (isForThread(message)) thread.postMessage(message);
    else if (message.t === 'window' && engine && first && second) {
      const { port, isClosed } = bridge(first);
      engine.addClient({ windowId: message.windowId, port: port as never, isClosed });
      serveControl(engine, { windowId: message.windowId, port: second, controls, end: endOnRequest });
    } else if (message.t === 'settle')
      void (engine?.settle() ?? Promise.resolve()).then(() => {
        link.tell({ t: 'settled' } satisfies FromNative);
      });
  });
}

const READING_HEAP_MB = 512;

/** @param script the module that runs the process, which is also that of its threads */
export const startThread = (script: string, workerData: ThreadData): Worker =>
  new Worker(new URL(script), {
    workerData,
    // A file must not take the memory of the process. Readers stay far below, and a thread that does not is ended on its own.
    ...(workerData.work === 'reading' && { resourceLimits: { maxOldGenerationSizeMb: READING_HEAP_MB } }),
  });

interface Control {
  readonly windowId: string;
  readonly port: Port;
  readonly controls: Set<Server<ControlEvents>>;
  readonly end: () => void;
}

function serveControl({ watch }: DatabaseWorker, { windowId, port, controls, end }: Control): void {
  watch.forget(windowId);
  const server = serve<ControlOperations, ControlEvents, null>(
    port,
    {
      'work.stop'({ id }) {
        watch.stop(id);
        return { stopping: true };
      },
      'call.stop'({ call }) {
        watch.stopCall(windowId, call);
        return null;
      },
      'host.restart'() {
        end();
        return null;
      },
    },
    { info: null, session: null, onClose: () => void controls.delete(server) },
  );
  controls.add(server);
  server.send('work.changed', { works: watch.works });
}

/** The part of a browser's worker that the host page uses. */
function workerLike(thread: Worker): WorkerLike {
  const like: WorkerLike = {
    onmessage: null,
    onerror: null,
    onmessageerror: null,
    postMessage: (message, transfer) => thread.postMessage(message, transfer as never),
    terminate: endProcess,
  };
  thread.on('message', (message: FromThread) => !isForMain(message) && like.onmessage?.({ data: message } as never));
  thread.on('error', () => like.onerror?.(undefined as never));
  return like;
}
