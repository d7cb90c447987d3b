// One part of a long value: read on demand, and again after it was changed.
import { useEffect, useState } from 'react';
import { toAppError, type CellRange } from '#shared/protocol/index.ts';
import { client } from '../../../connection/database-client.ts';
import type { Detail } from '../../../state/slices/detail.ts';

/** Small enough for an instant layout, whatever the content. */
export const TEXT_RANGE_BYTES = 100_000;
export const HEX_RANGE_BYTES = 16_384;

interface RangeState {
  /** The previous range stays until the next is ready. */
  readonly range: CellRange | null;
  readonly error: string | null;
}

/** @param version a new one reads the same part again */
export function useRange(detail: Detail, offset: number, version: unknown): RangeState {
  const [state, setState] = useState<RangeState>({ range: null, error: null });
  const { database, source, storageClass } = detail;
  const cell = source.kind === 'cell' ? source.cell : null;
  const length = storageClass === 'text' ? TEXT_RANGE_BYTES : HEX_RANGE_BYTES;
  useEffect(() => {
    if (!cell) return;
    const controller = new AbortController();
    client.call('cell.readRange', { database, cell, offset, length }, { signal: controller.signal }).then(
      (range) => setState({ range, error: null }),
      (thrown: unknown) =>
        !controller.signal.aborted && setState(({ range }) => ({ range, error: toAppError(thrown).message })),
    );
    return () => controller.abort();
  }, [database, cell, offset, length, version]);
  return state;
}
