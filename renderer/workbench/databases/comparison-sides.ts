// The two sides of a comparison of engines: which database each engine runs on, and why a side may be missing.
import type { DatabaseId } from '#shared/protocol/index.ts';

export type EngineKind = 'wasm' | 'native';

export type Both<T> = Readonly<Record<EngineKind, T>>;

export type Side =
  /** `isComparisonCopy`: a copy that has no other writers. */
  { readonly database: DatabaseId; readonly isComparisonCopy: boolean } | { readonly why: string };

export interface Sides extends Both<Side> {
  /** The committed state of both sides; if the user's own database is a side, it has to be at this state, too. */
  readonly mark: string;
  /** An open transaction is left out. */
  readonly committedOnly: boolean;
}
