// The page that owns the database worker. It stays free while the worker is busy, so it takes the requests to stop it.
// The same page is Electron's hidden window and, in a plain browser, an iframe: it answers to `window.parent`, which is itself in the former.
import { HostTag } from '#shared/host-tags.ts';
import type { ErrorData } from '#shared/protocol/errors.ts';
import type { ControlEvents, ControlOperations } from '#shared/protocol/session.ts';
import { domPort } from '#shared/rpc/port.ts';
import { refuse, serve, type Server } from '#shared/rpc/server.ts';
import { trustOwnScripts } from '#shared/trusted-scripts.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import { endBenchWorker, endBenchWorkers, startBenchWorker } from './bench/bench-workers.ts';
import { loadDatabaseWorker, startDatabaseWorker, type DatabaseWorker } from './host-worker.ts';
import { claimLibrary } from './library-lock.ts';

/**
 * In Electron 22 the page dies of ending its worker (see `terminate`), mostly within this time. One that has asked for ports by then
 * costs a second round of ports, and nothing else: the next worker waits for the file handles of the one before.
 */
const RESTART_PAUSE_MS = 150;

const ELSEWHERE: ErrorData = {
  code: 'library-elsewhere',
  message:
    'Your library is open in another Sidelite tab or window. Close the other one and this one continues automatically.',
};

trustOwnScripts();
const startLoaded = loadDatabaseWorker();
let access: 'undecided' | 'owned' | 'elsewhere' = 'undecided';
let worker: DatabaseWorker | null = null;
/** The worker to end as soon as the shell is informed. */
let ending: DatabaseWorker | null = null;
const controls = new Set<Server<ControlEvents>>();

const tellShell = (tag: string): void => window.parent.postMessage({ tag }, location.origin);

/** Everything that can be dropped is sent again after the next `ready`. The main process logs the warnings of a page. */
const dropped = (what: string): void => console.warn(`Dropped ${what}. It comes again.`);

/** Tells the shell to expect the end of this page, and waits for its answer: a page that is gone cannot say why. */
function restart(): void {
  if (!worker || ending) return; // already under way
  ending = worker;
  worker = null; // the next one starts with the files port the shell sends on `ready`
  tellShell(HostTag.restarting);
}

function endFormerWorker(): void {
  ending?.terminate();
  ending = null;
  setTimeout(tellShell, RESTART_PAUSE_MS, HostTag.ready);
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
    start: startLoaded,
    refuse: ({ port }, error) => refuse(domPort(port), error),
    onWork: (works) => {
      for (const control of controls) control.send('work.changed', { works });
    },
  });
}

function takeClient(windowId: string, data: MessagePort, control: MessagePort): void {
  if (access === 'elsewhere') return refuse(domPort(data), ELSEWHERE);
  if (!worker) return dropped(`the ports of window ${windowId}: there is no worker`);
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
        if (!first || access !== 'owned') return dropped('the files port: the library is not owned yet');
        worker ??= start(first);
        return;
      case HostTag.client:
        if (first && second) takeClient(String(event.data.windowId), first, second);
        return;
      case HostTag.restartExpected:
        return endFormerWorker();
      case HostTag.bench:
        if (first) startBenchWorker(event.data.engine as EngineId, first);
        return;
      case HostTag.benchEnd:
        return event.data.engine ? endBenchWorker(event.data.engine as EngineId) : endBenchWorkers();
      case HostTag.settle:
        void (worker?.settle() ?? Promise.resolve()).then(() => tellShell(HostTag.settled));
    }
  },
);

claimLibrary({
  owned() {
    access = 'owned';
    tellShell(HostTag.ready);
  },
  elsewhere() {
    access = 'elsewhere';
    tellShell(HostTag.ready); // windows connect and get the error
  },
});
