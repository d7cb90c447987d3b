// What a wasm engine says of itself: version, options, and the hash of the file that was really loaded.
import type { BenchDriver } from '../driver.ts';

export async function wasmFacts(
  version: string,
  sourceId: string | null,
  compileOptions: readonly string[],
): Promise<BenchDriver['facts']> {
  // The hash asks for the file once more.
  const own = codeMs;
  return { version, sourceId, compileOptions, sha256: await hashOfWasm(), ...(own !== null && { codeMs: own }) };
}

/** Of the last .wasm file this worker has fetched; null when it cannot be told. */
async function hashOfWasm(): Promise<string | null> {
  try {
    if (lastWasm === null) return null;
    const bytes = await (await fetch(lastWasm)).arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}

/** Chromium keeps no list of what was fetched from schemes of an app's own, so it is noted here, from the first import on. */
let lastWasm: string | null = null;
let askedAtMs = 0;
/** From asking for the last .wasm file until it was compiled and instantiated. */
let codeMs: number | null = null;

const plainFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (/\.wasm(\?|$)/.test(address)) {
    lastWasm = address;
    askedAtMs = performance.now();
  }
  return plainFetch(input, init);
};

const { instantiateStreaming } = WebAssembly;
WebAssembly.instantiateStreaming = async (...args) => {
  const instance = await instantiateStreaming(...args);
  codeMs = performance.now() - askedAtMs;
  return instance;
};
