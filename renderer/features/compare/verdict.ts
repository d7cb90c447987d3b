// The verdict of a comparison, in one sentence.
import { formatCount, plural } from '../../ui/format.ts';
import type { Outcome, RowsComparison, StatementPair } from './compare-view.ts';

export type Tone = 'same' | 'order' | 'different' | 'note';

export interface Sentence {
  readonly tone: Tone;
  readonly text: string;
}

export function verdictOf(pair: StatementPair): Sentence {
  const { wasm, native, rows } = pair;
  if (wasm.kind === 'failed' && native.kind === 'failed') {
    // oxlint-disable-next-line sidelite/text-decisions -- the words are what is compared
    return wasm.error.message === native.error.message
      ? { tone: 'same', text: 'Both engines report the same error.' }
      : { tone: 'different', text: 'The engines report different errors.' };
  }
  if (wasm.kind === 'failed') return { tone: 'different', text: ranOnly('wasm', native) };
  if (native.kind === 'failed') return { tone: 'different', text: ranOnly('native', wasm) };
  if (wasm.kind === 'not-run' || native.kind === 'not-run')
    return {
      tone: 'note',
      text: `Only ${wasm.kind === 'not-run' ? 'native' : 'wasm'} ran it: there is nothing to compare with.`,
    };
  if (rows) return rowsVerdict(rows, pair);
  return changesVerdict(wasm.statement.rowsChanged, native.statement.rowsChanged);
}

const ranOnly = (failed: 'wasm' | 'native', other: Outcome): string =>
  other.kind === 'ran'
    ? `Only ${failed === 'wasm' ? 'native' : 'wasm'} could run it; ${failed} rejected it.`
    : `${failed} rejected it.`;

function changesVerdict(wasm: number | null, native: number | null): Sentence {
  if (wasm === null && native === null) return { tone: 'same', text: 'Done on both.' };
  if (wasm === native) return { tone: 'same', text: `${plural(wasm ?? 0, 'row')} changed on both.` };
  return {
    tone: 'different',
    text: `${plural(wasm ?? 0, 'row')} changed on wasm, ${formatCount(native ?? 0)} on native.`,
  };
}

function rowsVerdict(rows: RowsComparison, { wasm, native }: StatementPair): Sentence {
  const count = (outcome: Outcome): number => (outcome.kind === 'ran' ? (outcome.statement.result?.rows ?? 0) : 0);
  const [left, right] = [count(wasm), count(native)];
  if (rows.verdict === 'identical') {
    const text =
      left === 0
        ? 'Identical: no rows on either side.'
        : `Identical: ${plural(left, 'row')}, value for value, in the same order.`;
    return rows.columns.length === 0
      ? { tone: 'same', text }
      : { tone: 'different', text: `The rows are identical; the columns are not: ${rows.columns.join('; ')}.` };
  }
  const places = `${rows.all ? '' : 'more than '}${formatCount(rows.positions.length)}`;
  if (rows.verdict === 'order')
    return {
      tone: 'order',
      text: `The same ${plural(left, 'row')}, in a different order: ${places} are in other positions.`,
    };
  return {
    tone: 'different',
    text:
      contentText(rows, left, right) +
      (rows.columns.length > 0 ? ` Columns differ, too: ${rows.columns.join('; ')}.` : ''),
  };
}

function contentText({ only, positions, all }: RowsComparison, left: number, right: number): string {
  const counts = left === right ? '' : `${plural(left, 'row')} on wasm, ${formatCount(right)} on native. `;
  if (!only)
    return `${counts}Different: too many rows to list; at least ${plural(positions.length, 'position')} differ.`;
  const moved = positions.length - new Set([...only.left, ...only.right]).size;
  const elsewhere =
    moved > 0
      ? `; ${all ? '' : 'more than '}${plural(moved, 'other row is', 'other rows are')} in another position`
      : '';
  if (only.left.length === only.right.length && only.left.every((row, at) => row === only.right[at]))
    return `${counts}Different: ${plural(only.left.length, 'row differs', 'rows differ')}${elsewhere}.`;
  return `${counts}Different: ${plural(only.left.length, 'row')} only on wasm, ${formatCount(only.right.length)} only on native${elsewhere}.`;
}
