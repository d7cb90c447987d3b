// The whole value of a cell whose beginning is known.
import { useEffect, useState } from 'react';
import { toAppError, type Value } from '#shared/protocol/index.ts';
import { client } from '../../connection/database-client.ts';
import type { Detail } from '../../state/slices/detail.ts';

/** Longer values are not shown at once: the panel says so. */
export const SHOWN_BYTES = 4 * 1024 * 1024;
const SETTLE_MS = 80;

interface WholeValue {
  readonly value: Value;
  readonly pending: boolean;
  readonly error: string | null;
}

/** Reads the rest once the user rests on the cell. */
export function useWholeValue(detail: Detail): WholeValue {
  const [read, setRead] = useState<{ readonly of: Detail; readonly value?: Value; readonly error?: string } | null>(
    null,
  );
  useEffect(() => {
    if (detail.complete) return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      readCell(detail, controller.signal).then(
        (value) => setRead({ of: detail, value }),
        (thrown: unknown) => !controller.signal.aborted && setRead({ of: detail, error: toAppError(thrown).message }),
      );
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [detail]);
  const isOurs = read?.of === detail;
  return {
    value: isOurs && read.value !== undefined ? read.value : detail.value,
    pending: !detail.complete && !isOurs,
    error: isOurs ? (read.error ?? null) : null,
  };
}

async function readCell({ database, source, value }: Detail, signal: AbortSignal): Promise<Value> {
  if (source.kind === 'cell') {
    return (await client.call('cell.read', { database, cell: source.cell, maxBytes: SHOWN_BYTES }, { signal })).value;
  }
  if (source.kind === 'new-row') return value;
  const { reader, position, column } = source;
  return (await client.call('cell.readAt', { reader, position, column }, { signal })).value;
}
