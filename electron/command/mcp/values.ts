// Values of a database as JSON, exact: what JSON cannot hold is tagged.
import { formatReal } from '#shared/packed-rows/reader.ts';
import type { CutValue, GuardedValue } from '#shared/protocol/guarded.ts';
import type { DifferenceValue } from '#shared/protocol/history.ts';
import { isReal } from '#shared/protocol/values.ts';

export function jsonValue(value: GuardedValue): unknown {
  if (typeof value === 'bigint') return { integer: String(value) };
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { real: formatReal(value) };
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return { blob: Buffer.from(value).toString('hex') };
  if ('beginning' in value) return cutValue(value);
  return isReal(value)
    ? { real: formatReal(value.real) }
    : { text: Buffer.from(value.textBytes).toString('hex'), encoding: 'hexadecimal' };
}

function cutValue({ beginning, size }: CutValue): unknown {
  if (typeof beginning === 'string') return { beginning, characters: size };
  return { beginning: jsonValue(beginning), bytes: size };
}

/** Null stands for NULL, and a missing value for one that does not change. */
export function jsonDifference(columns: readonly string[], values: readonly DifferenceValue[] | null): unknown {
  if (values === null) return null;
  return columns.flatMap((column, at) => {
    const value = values[at];
    if (value === undefined) return [];
    const isCut = typeof value === 'object' && value !== null && 'preview' in value;
    return [[column, isCut ? cutValue({ beginning: value.preview, size: value.sizeBytes }) : jsonValue(value)]];
  });
}
