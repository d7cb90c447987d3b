// A cell in words, for screen readers.
import type { ShownCell } from './table-model.ts';
import { standingOf } from './timing.ts';
import type { Timing } from './timing.ts';
import { formatInterval, formatTime, standingText, statusWord } from './labels.ts';

export function cellLabel(row: string, engine: string, shown: ShownCell | undefined, timing: Timing): string {
  const name = `${row}, ${engine}`;
  if (!shown) return `${name}: not part of the run`;
  const { cell } = shown;
  if (cell.status !== 'ok') return `${name}: ${statusWord(cell.status)}. ${cell.why ?? ''}`.trim();
  const { median, p95, ratio } = shown.shown;
  if (median === null) return `${name}: not measured`;
  const tail =
    cell.kind === 'latency' && timing !== 'first' && p95 !== null ? `, p95 ${formatTime(p95, cell.unit)}` : '';
  const standing = standingOf(ratio) === 'unknown' ? '' : `, ${standingText(ratio, cell.unit)}`;
  return `${name}: ${formatTime(median, cell.unit)}${tail}${ratio ? `, ${formatInterval(ratio)}${standing}` : ''}`;
}
