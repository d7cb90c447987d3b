// The process of one connection to a server: its engine has its own thread, and so has its network.
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from '#shared/native-link.ts';
import { runEngineProcess, startThread } from './engine-process.ts';
import { serveNetworkThread } from './engines/remote/network/network-thread.ts';
import { confinePackages } from './native/confine-packages.ts';
import { serveReadingThread } from './native/reading-threads.ts';
import { runRemoteThread } from './remote/remote-server.ts';

const start = (data: ThreadData) => startThread(import.meta.url, data);

if (isMainThread) {
  // Set by the main process when it starts this one. No history is kept.
  const packagesIn = process.argv[2]!;
  runEngineProcess(() => start({ work: 'engine', packagesIn, historyFolder: '' }));
} else {
  const data = workerData as ThreadData;
  confinePackages(data.packagesIn);
  if (data.work === 'reading') serveReadingThread();
  else if (data.work === 'network') serveNetworkThread(parentPort!);
  else
    runRemoteThread({
      startReading: () => start({ ...data, work: 'reading' }),
      startNetwork: () => start({ ...data, work: 'network' }),
    });
}
