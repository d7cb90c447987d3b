// The wasm engine, in memory, against the contract of all engines.
import { describeEngine } from '../contract.test-suite.ts';
import { createWasmEngine, IN_MEMORY } from './wasm-engine.ts';

describeEngine('wasm engine', async () => {
  const { engine } = await createWasmEngine();
  return { engine, freshLocation: () => IN_MEMORY };
});
