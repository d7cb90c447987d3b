// The page that owns the database worker. It stays free while the worker is busy, so it takes the requests to stop it.
// The same page is Electron's hidden window and, in a plain browser, an iframe: it answers to `window.parent`, which is itself in the former.
import { HostTag } from '#shared/host-tags.ts';
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { ControlEvents, ControlOperations } from '#shared/protocol/session.ts';
import { domPort } from '#shared/rpc/port.ts';
import { refuse, serve } from '#shared/rpc/server.ts';
import type { Server } from '#shared/rpc/server.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { endBenchWorkers, startBenchWorker } from './bench/bench-workers.ts';
import { startDatabaseWorker } from './host-worker.ts';
import type { DatabaseWorker } from './host-worker.ts';

/** OPFS access handles are exclusive: a second tab or process would fail in odd places instead of being told. */
const LIBRARY_LOCK = 'sidelite-library';
/** A page that is just being reloaded gives its lock back within this time. */
const LOCK_PATIENCE_MS = 500;
/** For `restarting` to leave this page: in Electron 22 it dies of what comes next (see `terminate`). */
const NOTICE_MS = 30;
/** Until an ended worker's file handles are free. A page that dies meanwhile must not have asked for ports. */
const RESTART_PAUSE_MS = 150;

const ELSEWHERE: ErrorData = {
  code: 'library-elsewhere',
  message: 'Your library is open in another Sidelite tab or window. Close that one and this one goes on by itself.',
};

let access: 'undecided' | 'owned' | 'elsewhere' = 'undecided';
let worker: DatabaseWorker | null = null;
const controls = new Set<Server<ControlEvents>>();

const tellShell = (tag: string): void => window.parent.postMessage({ tag }, location.origin);

function restart(): void {
  const former = worker;
  if (!former) return; // under way
  worker = null; // the next one starts with the files port the shell sends on `ready`
  for (const control of controls) control.send('engine.ended', { works: former.watch.works });
  tellShell(HostTag.restarting);
  setTimeout(() => {
    former.terminate();
    setTimeout(tellShell, RESTART_PAUSE_MS, HostTag.ready);
  }, NOTICE_MS);
}

/** `of`: requests name the work and the calls of the worker they were sent for, not of the one after it. */
function serveControl(windowId: string, port: MessagePort, of: DatabaseWorker): void {
  of.watch.forget(windowId);
  const server = serve<ControlOperations, ControlEvents, null>(
    domPort(port),
    {
      'work.stop'({ id }) {
        of.watch.stop(id);
        return { stopping: of === worker };
      },
      'call.stop'({ call }) {
        of.watch.stopCall(windowId, call);
        return null;
      },
      'host.restart'() {
        restart();
        return null;
      },
    },
    { info: null, session: null, onClose: () => void controls.delete(server) },
  );
  controls.add(server);
  server.send('work.changed', { works: of.watch.works });
}

function start(filesPort: MessagePort): DatabaseWorker {
  return startDatabaseWorker({
    filesPort,
    refuse: ({ port }, error) => refuse(domPort(port), error),
    onWork: (works) => {
      for (const control of controls) control.send('work.changed', { works });
    },
  });
}

function takeClient(windowId: string, data: MessagePort, control: MessagePort): void {
  if (access === 'elsewhere') return refuse(domPort(data), ELSEWHERE);
  if (!worker) return; // restarting: after `ready` every window gets new ports
  worker.addClient({ windowId, port: data });
  serveControl(windowId, control, worker);
}

window.addEventListener(
  'message',
  (event: MessageEvent<{ tag?: unknown; windowId?: unknown; engine?: unknown } | null>) => {
    if (event.source !== window.parent || event.origin !== location.origin) return;
    const [first, second] = event.ports;
    switch (event.data?.tag) {
      case HostTag.files:
        if (first && access === 'owned') worker ??= start(first);
        return;
      case HostTag.client:
        if (first && second) takeClient(String(event.data.windowId), first, second);
        return;
      case HostTag.bench:
        if (first) startBenchWorker(event.data.engine as EngineId, first);
        return;
      case HostTag.benchEnd:
        return endBenchWorkers();
      case HostTag.settle:
        void (worker?.settle() ?? Promise.resolve()).then(() => tellShell(HostTag.settled));
    }
  },
);

function own(): Promise<never> {
  access = 'owned';
  tellShell(HostTag.ready);
  return new Promise(() => undefined); // held as long as this page lives
}

void navigator.locks.request(LIBRARY_LOCK, own);
setTimeout(() => {
  if (access !== 'undecided') return;
  access = 'elsewhere';
  tellShell(HostTag.ready); // windows come, and are told
}, LOCK_PATIENCE_MS);
