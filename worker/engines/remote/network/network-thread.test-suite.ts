// The network's thread in tests, where there is no bundle: Node runs the file as it is.
import { Worker } from 'node:worker_threads';

/** @param authority whose certificates are trusted, too */
export const startNetwork = (authority?: string): Worker =>
  new Worker(
    `const { authority } = require('node:worker_threads').workerData;
    const tls = require('node:tls');
    if (authority) tls.setDefaultCACertificates([...tls.getCACertificates('default'), authority]);
    import('${new URL('network-thread.ts', import.meta.url).href}').then(({ serveNetworkThread }) =>
      serveNetworkThread(require('node:worker_threads').parentPort));`,
    { eval: true, workerData: { authority } },
  );
