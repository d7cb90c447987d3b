// Streams that pack and unpack, which Node has from 18 on.
import { TransformStream } from 'node:stream/web';
import type { Transform } from 'node:stream';
import { createDeflate, createDeflateRaw, createGunzip, createGzip, createInflate, createInflateRaw } from 'node:zlib';

type Format = 'deflate' | 'deflate-raw' | 'gzip';
type Makers = Readonly<Record<Format, () => Transform>>;

/** A stream of the web around one of zlib. */
function streamOf(makers: Makers): new (format: Format) => TransformStream<Uint8Array, Uint8Array> {
  return class extends TransformStream<Uint8Array, Uint8Array> {
    constructor(format: Format) {
      const packer = makers[format]();
      let failed: (error: Error) => void = () => undefined;
      const failure = new Promise<never>((_resolve, reject) => (failed = reject));
      // Whoever writes or reads next is told.
      failure.catch(() => undefined);
      super({
        start(controller) {
          packer.on('data', (bytes: Uint8Array) => controller.enqueue(new Uint8Array(bytes)));
          packer.on('error', (error) => {
            failed(error);
            controller.error(error);
          });
        },
        transform: (bytes) => Promise.race([failure, new Promise<void>((done) => packer.write(bytes, () => done()))]),
        flush: () =>
          Promise.race([
            failure,
            new Promise<void>((done) => {
              packer.once('end', done);
              packer.end();
            }),
          ]),
      });
    }
  };
}

export const CompressionStream = streamOf({
  deflate: createDeflate,
  'deflate-raw': createDeflateRaw,
  gzip: createGzip,
});
export const DecompressionStream = streamOf({
  deflate: createInflate,
  'deflate-raw': createInflateRaw,
  gzip: createGunzip,
});
