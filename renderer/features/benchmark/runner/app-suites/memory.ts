// Which bytes of the app's processes a memory test measures.
import type { EngineId } from '#shared/bench/engines.ts';
import type { BenchMemory } from '#shared/bench/shell.ts';
import { AppError } from '#shared/protocol/index.ts';
import type { MemoryTest } from './browse-tests.ts';

/** @throws AppError `unavailable` if the runtime does not report memory */
export function bytesOf(test: MemoryTest, engine: EngineId, memory: BenchMemory | null): number {
  if (memory === null) throw unavailable('The memory of the app’s processes is not available here.');
  if (test === 'memory-window') return memory.window;
  if (test === 'memory-others') return memory.others;
  if (engine.startsWith('opfs')) return memory.wasm;
  if (memory.native === null) throw unavailable('The native engine does not run, although its table is on screen.');
  return memory.native;
}

function unavailable(message: string): AppError {
  return new AppError({ code: 'unavailable', message });
}
