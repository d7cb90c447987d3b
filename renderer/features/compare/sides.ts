// The two sides of a comparison: which database each engine runs on, and why one may not be there.
import type { DatabaseId } from '#shared/protocol/index.ts';
import type { GridSide } from './linked-grids.ts';

export type EngineKind = 'wasm' | 'native';

/** wasm is on the left, everywhere. */
export const ENGINES: readonly EngineKind[] = ['wasm', 'native'];
export const SIDE_OF: Readonly<Record<EngineKind, GridSide>> = { wasm: 'left', native: 'right' };

export type Both<T> = Readonly<Record<EngineKind, T>>;

export type Side =
  /** `isComparisonCopy`: a copy that has no other writers. */
  { readonly database: DatabaseId; readonly isComparisonCopy: boolean } | { readonly why: string };

export interface Sides extends Both<Side> {
  /** The committed state both are at: what the user's own database has to be at, too, when it is one of them. */
  readonly mark: string;
  /** An open transaction is left out. */
  readonly committedOnly: boolean;
}

export async function forBoth<T>(make: (engine: EngineKind) => Promise<T>): Promise<Both<T>> {
  // One after the other: each gets the machine to itself.
  const wasm = await make('wasm');
  return { wasm, native: await make('native') };
}
