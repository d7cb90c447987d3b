// The engines of a comparison in their order, and helpers for both.
import type { Both, EngineKind } from '../../workbench/databases/comparison-sides.ts';
import type { GridSide } from './linked-grids.ts';

/** wasm is always on the left. */
export const ENGINES: readonly EngineKind[] = ['wasm', 'native'];
export const SIDE_OF: Readonly<Record<EngineKind, GridSide>> = { wasm: 'left', native: 'right' };

export async function forBoth<T>(make: (engine: EngineKind) => Promise<T>): Promise<Both<T>> {
  // Runs one after the other, so that each has the machine to itself.
  const wasm = await make('wasm');
  return { wasm, native: await make('native') };
}
