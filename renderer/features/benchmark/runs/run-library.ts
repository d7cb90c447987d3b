// The saved runs, as this window knows them. Results stay in memory only while they are shown.
import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { parseResult } from '#shared/bench/result.ts';
import type { BenchResult } from '#shared/bench/result.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { SavedRun } from '#shared/protocol/index.ts';
import type { OpenedFile } from '#shared/shell-api.ts';
import { client } from '../../../connection/database-client.ts';
import { notifyFailure } from '../../../state/databases.ts';
import { factsOf, titleOf } from './run-facts.ts';

interface RunLibrary {
  /** The newest first; null until they are known. */
  readonly runs: readonly SavedRun[] | null;
  /** Number of results saved since the window opened; when it grows, what is on screen may be outdated. */
  readonly saves: number;
}

export const useRunLibrary = create<RunLibrary>()(() => ({ runs: null, saves: 0 }));

const KEPT = 3;
const loaded = new Map<string, BenchResult>();

/** Saves in progress in this window, which already knows about its own changes. */
let saving = 0;

client.on('benchmark.changed', ({ id }) => {
  if (saving > 0 || useRunLibrary.getState().runs === null) return;
  loaded.delete(id);
  useRunLibrary.setState(({ saves }) => ({ saves: saves + 1 }));
  void refreshRuns().catch(notifyFailure);
});

async function own<T>(call: Promise<T>): Promise<T> {
  saving++;
  return call.finally(() => saving--);
}

export async function refreshRuns(): Promise<void> {
  useRunLibrary.setState({ runs: await client.call('benchmark.list', {}) });
}

/** @throws AppError `not-found`, `invalid` */
export async function readRun(id: string): Promise<BenchResult> {
  const known = loaded.get(id);
  if (known) return known;
  const { json } = await client.call('benchmark.read', { id });
  // Saved by any version of Sidelite, or made elsewhere: validated with the same care as a file.
  return keep(id, parseResult(json));
}

/** @param id of the run to replace; null: a new one */
export async function saveRun(
  id: string | null,
  result: BenchResult,
  origin: string | null = null,
  title = titleOf(result),
): Promise<SavedRun> {
  const run = await own(
    client.call('benchmark.save', {
      id,
      run: { title, origin, facts: JSON.stringify(factsOf(result)), json: JSON.stringify(result) },
    }),
  );
  keep(run.id, result);
  useRunLibrary.setState(({ saves }) => ({ saves: saves + 1 }));
  await refreshRuns();
  return run;
}

export async function renameRun(id: string, title: string): Promise<void> {
  await own(client.call('benchmark.rename', { id, title }));
  await refreshRuns();
}

export async function deleteRun(id: string): Promise<void> {
  await own(client.call('benchmark.delete', { id }));
  loaded.delete(id);
  await refreshRuns();
}

/** Saves an imported result. @throws AppError `invalid` with the position of the error, `too-big`, `io` */
export async function importRun({ token }: OpenedFile): Promise<SavedRun> {
  const { bytes, fileName } = await client.call('benchmark.import', { source: token });
  return await saveRun(null, parseResult(new TextDecoder().decode(bytes)), fileName);
}

function keep(id: string, result: BenchResult): BenchResult {
  loaded.delete(id);
  loaded.set(id, result);
  for (const oldest of [...loaded.keys()].slice(0, -KEPT)) loaded.delete(oldest);
  return result;
}

interface LoadedRun {
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
