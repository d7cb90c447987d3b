// A worker that measures one engine, with files of its own: the library's worker and its pool are not touched.
import { engineOf } from '#shared/bench/engines.ts';
import { domPort } from '#shared/rpc/port.ts';
import { trustOwnScripts } from '#shared/trusted-scripts.ts';
import type { StartBench } from '../threads/host-messages.ts';
import { serveInPage } from './bench-page.ts';

trustOwnScripts();

self.onmessage = ({ data }: MessageEvent<StartBench>) => {
  const engine = engineOf(data.engine);
  if (!engine) return self.close();
  // In Electron 22 a worker that listens to the `close` of its ports cannot be ended without its page's process.
  const port = { ...domPort(data.port), onClose: () => undefined };
  serveInPage(engine.id, port, '', () => self.close());
};

// The host page hands over the port only after this.
self.postMessage(null);
