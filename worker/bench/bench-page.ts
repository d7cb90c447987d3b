// Measures in the host page what works only in a window. The page is then as busy as the engine, so this is for small sizes.
import { forgetWasm, wasmCode } from './drivers/wasm-notes.ts';
import { engineOf, type EngineId } from '#shared/bench/engines.ts';
import { domPort } from '#shared/rpc/port.ts';
import { WORKER_DRIVERS } from './drivers/in-worker.ts';
import { serveEngine } from './serve-engine.ts';

export function serveInPage(engine: EngineId, port: MessagePort): void {
  // The page has a life before and after.
  forgetWasm();
  serveEngine(domPort(port), {
    engine: engineOf(engine)!,
    drivers: WORKER_DRIVERS,
    directory: `bench/${engine}`,
    runtime: `Chromium ${/Chrome\/([\d.]+)/.exec(navigator.userAgent)?.[1] ?? ''}, in a window`,
    code: wasmCode,
    end: () => undefined,
  });
}
