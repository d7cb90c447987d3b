// The reading of imported files as a worker of the library's worker.
import { serveReading } from './serve-reading.ts';

serveReading({
  post: (message, transfer = []) => self.postMessage(message, transfer as never),
  onMessage: (listener) => {
    self.onmessage = ({ data }: MessageEvent) => listener(data as never);
  },
});
