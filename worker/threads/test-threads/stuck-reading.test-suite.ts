// A thread that never comes back from the file it is to read.
import { parentPort } from 'node:worker_threads';

parentPort!.on('message', () => {
  for (;;);
});
