// Reads imported files in a worker of the library's worker.
import { collectReceived } from '../../threads/received-bytes.ts';
import { serveReading } from './serve-reading.ts';

serveReading({
  post: (message, transfer = []) => self.postMessage(message, transfer as never),
  onMessage: (listener) => {
    const receive = collectReceived(listener);
    self.onmessage = ({ data }: MessageEvent) => receive(data as never);
  },
});
