// Threads of Node that read imported files for the engine's thread: both ends of their port.
import { parentPort, type Worker } from 'node:worker_threads';
import type { FromReading, ToReading } from '../import/thread/reading-messages.ts';
import type { ReadingThread } from '../import/thread/reading-thread.ts';
import { serveReading } from '../import/thread/serve-reading.ts';

/** Threads end with the one that started them. */
export function readingThread(worker: Worker): ReadingThread {
  let isWanted = true;
  return {
    post: (message, transfer) => worker.postMessage(message, transfer as ArrayBuffer[]),
    onMessage: (listener) => void worker.on('message', (message: FromReading) => listener(message)),
    onLost: (listener) => {
      // Without a listener an error would end the process.
      worker.on('error', () => listener());
      worker.on('exit', () => isWanted && listener());
    },
    end: () => {
      isWanted = false;
      void worker.terminate();
    },
  };
}

export function serveReadingThread(): void {
  const port = parentPort!;
  serveReading({
    post: (message, transfer = []) => port.postMessage(message, transfer as ArrayBuffer[]),
    onMessage: (listener) => void port.on('message', (message: ToReading) => listener(message)),
  });
}
