// The unchanged thread that reads an imported file, in a thread of Node.
import { serveReadingThread } from '../../native/reading-threads.ts';

serveReadingThread();
