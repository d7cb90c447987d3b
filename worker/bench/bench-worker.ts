// A worker that measures one engine, with files of its own: the library's worker and its pool are not touched.
import { wasmCode } from './drivers/wasm-notes.ts';
import { engineOf } from '#shared/bench/engines.ts';
import { domPort } from '#shared/rpc/port.ts';
import { trustOwnScripts } from '#shared/trusted-scripts.ts';
import type { StartBench } from '../threads/host-messages.ts';
import { WORKER_DRIVERS } from './drivers/in-worker.ts';
import { serveEngine } from './serve-engine.ts';

/** Directory in the origin's private file system, beside the library. */
const DIRECTORY = 'bench';

trustOwnScripts();

self.onmessage = ({ data }: MessageEvent<StartBench>) => {
  const engine = engineOf(data.engine);
  if (!engine) return self.close();
  // In Electron 22 a worker that listens to the `close` of its ports cannot be ended without its page's process.
  const port = { ...domPort(data.port), onClose: () => undefined };
  serveEngine(port, {
    engine,
    drivers: WORKER_DRIVERS,
    directory: `${DIRECTORY}/${engine.id}`,
    runtime: `Chromium ${/Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? ''}`,
    code: wasmCode,
    end: () => self.close(),
  });
};

// The host page hands over the port only after this.
self.postMessage(null);
