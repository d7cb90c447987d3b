// One cell of the table: its time, its ratio with interval, or why it has none.
import type { ReactNode } from 'react';
import type { BenchCell } from '#shared/bench/result.ts';
import type { ShownCell } from './table-model.ts';
import { standingOf } from './timing.ts';
import type { Ratio, Standing, Timing } from './timing.ts';
import { formatRatio, formatTime, statusWord, threeDigits } from './labels.ts';

interface ResultCellProps {
  readonly shown: ShownCell | undefined;
  readonly timing: Timing;
  readonly isReference: boolean;
}

export function ResultCell({ shown, timing, isReference }: ResultCellProps): ReactNode {
  if (!shown) return <span className="fine-print">–</span>;
  const { cell } = shown;
  if (cell.status !== 'ok') {
    return (
      <>
        <span className={`small bench-first ${isBad(cell.status) ? 'error strong' : 'faint'}`}>
          {statusWord(cell.status)}
        </span>
        <span className="cut fine-print bench-why">{cell.why ?? ''}</span>
      </>
    );
  }
  const { median, p95, ratio } = shown.shown;
  if (median === null) return <span className="fine-print">not measured</span>;
  const hasTail = cell.kind === 'latency' && timing !== 'first' && p95 !== null;
  return (
    <>
      <span className="cut bench-first">
        {formatTime(median, cell.unit)}
        {hasTail && (
          <small className="fine-print" title="95 of 100 samples are at most this.">
            {' '}
            p95 {formatTime(p95, cell.unit)}
          </small>
        )}
      </span>
      {cell.scope === 'app' ? (
        <span className="fine-print">of the whole app</span>
      ) : isReference ? (
        <span className="fine-print">1× (baseline)</span>
      ) : (
        <RatioChip ratio={ratio} />
      )}
    </>
  );
}

/** Without a number that it should have. */
export const isBad = (status: BenchCell['status']): boolean => status === 'void' || status === 'failed';

const RATIO = 'Relative to better-sqlite3 with the same storage and profile';
const RATIO_MEANINGS: Readonly<Record<Standing, string>> = {
  faster: `${RATIO}: less, and so is the whole 95% interval beside it.`,
  slower: `${RATIO}: more, and so is the whole 95% interval beside it.`,
  same: `${RATIO}: no difference, because the 95% interval includes 1.`,
  unknown: `${RATIO}. There are too few samples for an interval.`,
};

export function RatioChip({ ratio }: { readonly ratio: Ratio | null }): ReactNode {
  if (!ratio) return <span className="fine-print">no ratio</span>;
  const standing = standingOf(ratio);
  const { value, low, high } = ratio;
  return (
    <span className={`bench-ratio bench-${standing}`} title={RATIO_MEANINGS[standing]}>
      <b>{formatRatio(value)}</b>
      {low !== null && high !== null && (
        <small>{standing === 'same' ? 'no difference' : `${threeDigits(low)}–${threeDigits(high)}`}</small>
      )}
    </span>
  );
}
