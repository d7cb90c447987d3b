// The unchanged inspector, in a thread of Node that loses time between its steps.
import { parentPort, workerData } from 'node:worker_threads';
import type { InspectionOrder } from '../../inspector/reply.ts';
import { loseTime } from './lose-time.test-suite.ts';

const pause = loseTime(workerData as number);
const scope: { onmessage: ((event: { data: InspectionOrder }) => void) | null; postMessage(message: unknown): void } = {
  onmessage: null,
  postMessage(message) {
    pause();
    parentPort!.postMessage(message);
    pause();
  },
};
Object.assign(globalThis, { self: scope });
await import('../../inspector/inspector.ts');
parentPort!.on('message', (data: InspectionOrder) => scope.onmessage!({ data }));
