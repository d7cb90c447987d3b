// The network's thread in tests, where there is no bundle: Node runs the file as it is.
import { Worker } from 'node:worker_threads';

export const startNetwork = (): Worker =>
  new Worker(
    `import('${new URL('network-thread.ts', import.meta.url).href}').then(({ serveNetworkThread }) =>
      serveNetworkThread(require('node:worker_threads').parentPort));`,
    { eval: true },
  );
