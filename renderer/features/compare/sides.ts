// The engines of a comparison in their order, and what is done for both.
import type { Both, EngineKind } from '../../workbench/comparison-sides.ts';
import type { GridSide } from './linked-grids.ts';

/** wasm is on the left, everywhere. */
export const ENGINES: readonly EngineKind[] = ['wasm', 'native'];
export const SIDE_OF: Readonly<Record<EngineKind, GridSide>> = { wasm: 'left', native: 'right' };

export async function forBoth<T>(make: (engine: EngineKind) => Promise<T>): Promise<Both<T>> {
  // One after the other: each gets the machine to itself.
  const wasm = await make('wasm');
  return { wasm, native: await make('native') };
}
