// Serves an engine in a page of the host: in a worker, or in the window itself what works only there. The window is then as busy as the
// engine, so that is for small sizes.
import { forgetWasm, wasmCode } from './drivers/wasm-notes.ts';
import { engineOf, type EngineId } from '#shared/bench/engines.ts';
import type { Port } from '#shared/rpc/port.ts';
import { WORKER_DRIVERS } from './drivers/in-worker.ts';
import { serveEngine } from './serve-engine.ts';

export function serveInPage(engine: EngineId, port: Port, where = ', in a window', end = (): void => undefined): void {
  // The page has a life before and after.
  forgetWasm();
  serveEngine(port, {
    engine: engineOf(engine)!,
    drivers: WORKER_DRIVERS,
    // In the origin's private file system, beside the library.
    directory: `bench/${engine}`,
    runtime: `Chromium ${/Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? ''}${where}`,
    code: wasmCode,
    end,
  });
}
