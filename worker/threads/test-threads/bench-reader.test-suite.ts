// A reader of the benchmark in a thread of Node that loses time between its steps; without a seed it loses none.
import { workerData } from 'node:worker_threads';
import { serveReader } from '../../bench/process/reader-threads.ts';
import { loseTime } from './lose-time.test-suite.ts';

const seed = workerData as number | null;
if (seed !== null) loseTime(seed);
serveReader();
