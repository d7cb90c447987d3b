// The native process: opens files in place, in its own thread.
import { isMainThread, workerData } from 'node:worker_threads';
import type { ThreadData } from '#shared/native-link.ts';
import { runCheckpoint } from './engines/native/storage/checkpoint-thread.ts';
import { runEngineProcess, startThread } from './engine-process.ts';
import { confinePackages } from './native/confine-packages.ts';
import { runEngineThread } from './native/engine-thread.ts';
import { serveReadingThread } from './native/reading-threads.ts';

const start = (data: ThreadData) => startThread(import.meta.url, data);

if (isMainThread) {
  // Set by the main process when it starts this one.
  const [packagesIn, historyFolder] = process.argv.slice(2);
  runEngineProcess(() => start({ work: 'engine', packagesIn: packagesIn!, historyFolder: historyFolder! }));
} else {
  const data = workerData as ThreadData;
  confinePackages(data.packagesIn);
  if (data.work === 'reading') serveReadingThread();
  else if (data.work === 'checkpoint') void runCheckpoint(data.checkpoint!);
  else {
    // Without the key of an encrypted file, which stays in this thread.
    const { packagesIn, historyFolder } = data;
    runEngineThread({
      startReading: () => start({ work: 'reading', packagesIn, historyFolder }),
      startCheckpoint: (checkpoint) => start({ work: 'checkpoint', packagesIn, historyFolder, checkpoint }),
    });
  }
}
