// Facts a wasm engine reports about itself: version, options, and the hash of the file that was really loaded.
import type { BenchDriver } from '../driver.ts';
import { lastWasm, wasmReadyMs } from './wasm-notes.ts';

export async function wasmFacts(
  version: string,
  sourceId: string | null,
  compileOptions: readonly string[],
): Promise<BenchDriver['facts']> {
  // The hash requests the file once more.
  const own = wasmReadyMs();
  return { version, sourceId, compileOptions, sha256: await hashOfWasm(), ...(own !== null && { codeMs: own }) };
}

/** SHA-256 of the last .wasm file this worker fetched; null when it cannot be determined. */
async function hashOfWasm(): Promise<string | null> {
  try {
    const address = lastWasm();
    if (address === null) return null;
    const bytes = await (await fetch(address)).arrayBuffer();
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    return null;
  }
}
