// The unchanged thread that reads an imported file, in a thread of Node that loses time between its steps.
import { parentPort, workerData } from 'node:worker_threads';
import { serveReading } from '../../import/thread/serve-reading.ts';
import type { ToReading } from '../../import/thread/reading-messages.ts';
import { loseTime } from './lose-time.test-suite.ts';

const pause = loseTime(workerData as number);
serveReading({
  post(message, transfer = []) {
    pause();
    parentPort!.postMessage(message, transfer as ArrayBuffer[]);
    pause();
  },
  onMessage: (listener) => void parentPort!.on('message', (message: ToReading) => (pause(), listener(message))),
});
