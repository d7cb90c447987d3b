// What a wasm engine says of itself: version, options, and the hash of the file that was really loaded.
import type { BenchDriver } from '../driver.ts';

export async function wasmFacts(
  version: string,
  sourceId: string | null,
  compileOptions: readonly string[],
): Promise<BenchDriver['facts']> {
  return { version, sourceId, compileOptions, sha256: await hashOfWasm() };
}

/** Of the only .wasm file this worker has fetched; null when it cannot be told. */
async function hashOfWasm(): Promise<string | null> {
  try {
    const [entry] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.wasm'));
    if (!entry) return null;
    const bytes = await (await fetch(entry.name)).arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}
