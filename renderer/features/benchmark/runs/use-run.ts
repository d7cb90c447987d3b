// A saved run for a component, read on demand.
import { useEffect, useState } from 'react';
import type { BenchResult } from '#shared/bench/result.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { SavedRun } from '#shared/protocol/index.ts';
import { readRun, useRunLibrary } from './run-library.ts';

export interface LoadedRun {
  readonly run: SavedRun | null;
  /** Null while it is read, and if it cannot be. */
  readonly result: BenchResult | null;
  readonly error: string | null;
}

const NONE: LoadedRun = { run: null, result: null, error: null };

export function useRun(id: string | null): LoadedRun {
  const run = useRunLibrary(({ runs }) => runs?.find((each) => each.id === id) ?? null);
  const [loaded, setLoaded] = useState<LoadedRun & { readonly id: string | null }>({ ...NONE, id: null });
  // A run that was measured again is a different one.
  const saves = useRunLibrary((state) => state.saves);
  useEffect(() => {
    if (id === null) return;
    let isWanted = true;
    readRun(id).then(
      (result) => isWanted && setLoaded({ run: null, result, error: null, id }),
      (thrown: unknown) => isWanted && setLoaded({ ...NONE, error: toAppError(thrown).message, id }),
    );
    return () => {
      isWanted = false;
    };
  }, [id, saves]);
  return id === null || loaded.id !== id ? { ...NONE, run } : { ...loaded, run };
}
