// The numbers of a chart, requested when it is shown or changed, and again when the rows have changed.
import { useEffect, useState } from 'react';
import { toAppError } from '#shared/protocol/index.ts';
import type { AppError, ChartData, ChartRequest, ColumnContents } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import type { ResultSource } from '../../../workbench/rows/result-source.ts';

export interface ChartState {
  /** The request and its answer. The previous chart stays until the next one is ready. */
  readonly drawn: { readonly request: ChartRequest; readonly data: ChartData } | null;
  readonly error: AppError | null;
}

const NOTHING: ChartState = { drawn: null, error: null };

/** @param request must stay the same object as long as the chart is the same; null while it is not known */
export function useChart(source: ResultSource, request: ChartRequest | null, attempt: number): ChartState {
  const [state, setState] = useState(NOTHING);
  useEffect(() => {
    if (!request) return;
    const abort = new AbortController();
    let [isReading, isOld] = [false, false];
    const read = async (): Promise<void> => {
      isReading = true;
      isOld = false;
      try {
        const params = { reader: source.reader, chart: request };
        const data = await client.call('chart.read', params, { signal: abort.signal });
        if (!abort.signal.aborted) setState({ drawn: { request, data }, error: null });
      } catch (thrown) {
        if (!abort.signal.aborted) setState((before) => ({ ...before, error: toAppError(thrown) }));
      }
      isReading = false;
      if (isOld && !abort.signal.aborted) await read();
    };
    const note = (): void => {
      isOld = true;
      if (!isReading) void read();
    };
    // A live result runs again only if rows are watched; `changed` then says that the new ones have arrived.
    void source.watch({ start: 0, count: 1 }).catch(() => undefined);
    const stopListening = source.subscribe(({ kind }) => kind !== 'extent' && note());
    void read();
    return () => {
      stopListening();
      abort.abort();
    };
  }, [source, request, attempt]);
  return state;
}

export interface Contents {
  readonly rows: number;
  readonly columns: readonly ColumnContents[];
}

/** Contents of the columns when the chart is first shown. */
export function useContents(
  source: ResultSource,
  attempt: number,
): { readonly contents: Contents | null; readonly error: AppError | null } {
  const [state, setState] = useState<{ readonly contents: Contents | null; readonly error: AppError | null }>({
    contents: null,
    error: null,
  });
  useEffect(() => {
    let isGone = false;
    client.call('chart.columns', { reader: source.reader }).then(
      (contents) => !isGone && setState({ contents, error: null }),
      (thrown: unknown) => !isGone && setState({ contents: null, error: toAppError(thrown) }),
    );
    return () => void (isGone = true);
  }, [source, attempt]);
  return state;
}
