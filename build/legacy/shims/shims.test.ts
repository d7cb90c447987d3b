import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { afterAll, expect, it } from 'vitest';
import { isAscii } from './buffer.ts';
import { CompressionStream, DecompressionStream } from './streams.ts';

const work = mkdtempSync(join(tmpdir(), 'sidelite-shims-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const bytes = Uint8Array.from({ length: 3_000_000 }, (_, at) => (at * at) % 251);

type Pair = InstanceType<typeof CompressionStream>;

async function through(stream: Pair, input: Uint8Array): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  const writer = stream.writable.getWriter();
  const written = (async () => {
    for (let at = 0; at < input.length; at += 100_000) await writer.write(input.subarray(at, at + 100_000));
    await writer.close();
  })();
  written.catch(() => undefined);
  for await (const piece of stream.readable) pieces.push(piece);
  await written;
  return Buffer.concat(pieces);
}

it('packs and unpacks in pieces, as the streams of current versions do', async () => {
  const packed = await through(new CompressionStream('deflate-raw'), bytes);
  expect(inflateRawSync(packed).equals(bytes)).toBe(true);
  expect((await through(new DecompressionStream('deflate-raw'), packed)).equals(bytes)).toBe(true);
});

it('fails for damaged bytes and for a part of them, instead of waiting', async () => {
  const packed = deflateRawSync(bytes);
  const half = packed.subarray(0, packed.length / 2);
  await expect(through(new DecompressionStream('deflate-raw'), half)).rejects.toThrow('unexpected end of file');
  // There is no such kind of block.
  const damaged = Uint8Array.from(packed).fill(0xff, 0, 10);
  await expect(through(new DecompressionStream('deflate-raw'), damaged)).rejects.toThrow('invalid block type');
});

it('tells ASCII from other bytes', () => {
  expect([isAscii(Buffer.from('abc')), isAscii(Buffer.from('abcü')), isAscii(new Uint8Array())]).toEqual([
    true,
    false,
    true,
  ]);
});

it('asks the hook about what is required, which may refuse it', () => {
  const planted = join(work, 'node_modules', 'planted');
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, 'index.js'), 'console.log("planted")');
  const script = join(work, 'script.mjs');
  writeFileSync(
    script,
    `import { createRequire } from 'node:module';
    import { registerHooks } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'module.ts')).href)};
    registerHooks({ resolve(specifier, { conditions }, next) {
      const { url } = next(specifier);
      console.log(specifier, conditions.join(), url.slice(0, 5));
      if (url.includes('planted')) throw new Error('refused');
      return { url };
    } });
    const require = createRequire(import.meta.url);
    require('node:fs'); // looked up nowhere
    require('os');
    try { require('planted') } catch ({ message }) { console.log(message) }`,
  );
  expect(execFileSync(process.execPath, [script], { encoding: 'utf8' }).trim().split('\n')).toEqual([
    'os require node:',
    'planted require file:',
    'refused',
  ]);
});
