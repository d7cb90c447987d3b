// Compares two results in the worker, and again when one of them is sorted, filtered, or has other rows.
import { useEffect, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError, ComparedColumn, ResultDifferences } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import type { QueryResult } from '../query-view.ts';

export type ComparisonOutcome =
  | { readonly kind: 'running'; stop(): void }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'compared'; readonly counts: ResultDifferences }
  | { readonly kind: 'failed'; readonly error: AppError };

interface Comparing {
  readonly outcome: ComparisonOutcome;
  readonly again: () => void;
}

/** @param key indexes into `columns`; must stay the same array as long as the key is the same */
export function useComparison(
  before: QueryResult,
  after: QueryResult,
  columns: readonly ComparedColumn[],
  key: readonly number[],
): Comparing {
  const [runs, setRuns] = useState(0);
  const [outcome, setOutcome] = useState<ComparisonOutcome>({ kind: 'waiting' });
  const isReady = before.ended && after.ended && columns.length > 0;
  useEffect(() => {
    if (!isReady) return setOutcome({ kind: 'waiting' });
    const abort = new AbortController();
    // The previous outcome stays until then: a quick comparison should not flicker.
    const slow = setTimeout(() => setOutcome({ kind: 'running', stop: () => abort.abort() }), SLOW_MS);
    let isOver = false;
    const end = (next: ComparisonOutcome): void => {
      clearTimeout(slow);
      if (!isOver) setOutcome(next);
    };
    const params = { reader: before.source.reader, to: after.source.reader, columns, key };
    client.call('results.compare', params, { signal: abort.signal }).then(
      (counts) => end({ kind: 'compared', counts }),
      (thrown: unknown) => end({ kind: 'failed', error: toAppError(thrown) }),
    );
    return () => {
      isOver = true;
      clearTimeout(slow);
      abort.abort();
    };
  }, [before.source, after.source, before.arrangement, after.arrangement, columns, key, runs, isReady]);
  useEffect(() => {
    const stops = [before.source, after.source].map((source) =>
      source.subscribe(({ kind }) => kind !== 'extent' && setRuns((count) => count + 1)),
    );
    return () => stops.forEach((stop) => stop());
  }, [before.source, after.source]);
  return { outcome, again: () => setRuns((count) => count + 1) };
}

const SLOW_MS = 300;
