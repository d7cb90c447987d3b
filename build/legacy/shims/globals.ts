// Globals that Node 16 has elsewhere or lacks.
import { webcrypto } from 'node:crypto';
import { ReadableStream, TransformStream, WritableStream } from 'node:stream/web';
import { CompressionStream, DecompressionStream } from './streams.ts';

Object.assign(globalThis, {
  CompressionStream,
  DecompressionStream,
  ReadableStream,
  TransformStream,
  WritableStream,
  crypto: webcrypto,
});
