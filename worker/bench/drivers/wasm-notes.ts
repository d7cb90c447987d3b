// Notes which .wasm files this thread fetches and how long they take to become an engine, and afterward measures the files themselves.
// It has to be imported before what it watches. One engine at a time: {@link forgetWasm} comes before the next.
import type { EngineCode } from '#shared/bench/result.ts';
import { median } from '#shared/bench/statistics.ts';

/** Small files are compiled several times; those that take long enough to be exact, once. */
const MOST_COMPILED = 5;
const LONG_MS = 250;

/** Chromium keeps no list of what was fetched from an app's own schemes. Addresses are in request order. */
const addresses = new Set<string>();
let askedAtMs = 0;
/** Time from requesting the last file until it was compiled and instantiated. */
let readyMs: number | null = null;
let instantiatedMs: number | null = null;

export function forgetWasm(): void {
  addresses.clear();
  readyMs = instantiatedMs = null;
}

export const lastWasm = (): string | null => [...addresses].at(-1) ?? null;
export const wasmReadyMs = (): number | null => readyMs;

/** Null when nothing was noted, or a file cannot be read again. Takes a second for large ones, so call it when nothing is timed. */
export async function wasmCode(): Promise<EngineCode | null> {
  // Files compiled here are not part of it.
  const instantiateMs = instantiatedMs;
  const all = [...addresses];
  if (all.length === 0) return null;
  const code = { files: all.map(nameOf), bytes: 0, gzipBytes: 0, compileMs: 0, instantiateMs };
  try {
    for (const address of all) {
      const bytes = new Uint8Array(await (await plain.fetch(address)).arrayBuffer());
      code.bytes += bytes.length;
      code.gzipBytes += await gzipLength(bytes);
      code.compileMs += await compileTime(bytes);
    }
    return code;
  } catch {
    return null;
  }
}

const nameOf = (address: string): string => decodeURIComponent(new URL(address).pathname.split('/').at(-1)!);

async function gzipLength(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(packed).arrayBuffer()).byteLength;
}

async function compileTime(bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const times: number[] = [];
  for (let spentMs = 0; spentMs < LONG_MS && times.length < MOST_COMPILED; spentMs += times.at(-1)!) {
    const unknown = neverSeen(bytes);
    const began = performance.now();
    await plain.compile(unknown);
    times.push(performance.now() - began);
  }
  return median(times);
}

/**
 * V8 shares the code of a module between all threads of a process that compile the same bytes, and the library's worker has compiled
 * these. A custom section (id 0: length, name, anything) may stand at the end of a module, and makes it another one.
 */
function neverSeen(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const nonce = crypto.getRandomValues(new Uint8Array(16));
  const section = [0, nonce.length + 2, 1, 'n'.charCodeAt(0), ...nonce];
  const all = new Uint8Array(bytes.length + section.length);
  all.set(bytes);
  all.set(section, bytes.length);
  return all;
}

const plain = {
  fetch: globalThis.fetch.bind(globalThis),
  compile: WebAssembly.compile,
  compileStreaming: WebAssembly.compileStreaming,
  instantiate: WebAssembly.instantiate,
};

globalThis.fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (/\.wasm(\?|$)/.test(address)) {
    addresses.add(new URL(address, self.location.href).href);
    askedAtMs = performance.now();
  }
  return plain.fetch(input, init);
};

/** Compiling and instantiating are two steps for V8, too; only apart can each be timed. */
async function instantiated(
  compiling: Promise<WebAssembly.Module>,
  imports?: WebAssembly.Imports,
): Promise<WebAssembly.WebAssemblyInstantiatedSource> {
  const module = await compiling;
  const began = performance.now();
  const instance = await plain.instantiate(module, imports);
  instantiatedMs = (instantiatedMs ?? 0) + performance.now() - began;
  readyMs = performance.now() - askedAtMs;
  return { module, instance };
}

WebAssembly.instantiateStreaming = (source, imports) => instantiated(plain.compileStreaming(source), imports);
WebAssembly.instantiate = (async (source: BufferSource | WebAssembly.Module, imports?: WebAssembly.Imports) =>
  source instanceof WebAssembly.Module
    ? (await instantiated(Promise.resolve(source), imports)).instance
    : instantiated(plain.compile(source), imports)) as typeof WebAssembly.instantiate;
