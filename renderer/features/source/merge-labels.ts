// Labels for a merge and for the rows it asks about. Pure.
import type { MergeChoice, MergePlan, MergeQuestion, TableCounts } from '#shared/protocol/index.ts';
import { formatCount, plural } from '../../ui/format.ts';

export const CHOICES: readonly { readonly choice: MergeChoice; readonly label: string; readonly title: string }[] = [
  { choice: 'mine', label: 'Keep mine', title: 'The row stays as it is here' },
  { choice: 'theirs', label: 'Take theirs', title: 'The row becomes what it is in the file' },
  { choice: 'later', label: 'Decide later', title: 'The row stays as it is here, and the next merge asks again' },
];

/** “5 rows that only the file changed are taken over.” One sentence a line. */
export function planLabel({ way, why, taken, kept, questions }: MergePlan): readonly string[] {
  const [take, keep, ask] = [rowsOf(taken), rowsOf(kept), rowsOf(questions)];
  const differ = `${plural(ask, 'row')} ${ask === 1 ? 'differs' : 'differ'}`;
  if (way === 'two-way')
    return ask === 0
      ? ['No rows differ.']
      : [
          `${why ?? ''} So Sidelite can’t tell who changed what: ${differ}, and you decide about ${ask === 1 ? 'it' : 'them'}.`,
        ];
  const lines = [
    take > 0 && `${rows(take)} only the file changed ${is(take)} taken over${partsOf(taken)}.`,
    keep > 0 &&
      `${rows(keep)} only you changed ${keep === 1 ? 'stays' : 'stay'} as ${keep === 1 ? 'it is' : 'they are'}.`,
    ask > 0 && `${rows(ask)} both changed: decide which to keep.`,
  ].filter((line) => line !== false);
  return lines.length > 0 ? lines : ['No rows differ.'];
}

export function questionLabel({ base, mine, theirs, message }: MergeQuestion): string {
  if (message !== null) return message;
  if (base === undefined) return !mine ? 'only in the file' : !theirs ? 'only here' : 'different';
  if (!base) return 'new on both sides, different';
  if (!mine) return 'deleted here, changed in the file';
  return theirs ? 'changed on both sides' : 'changed here, deleted in the file';
}

export function mergedLabel(fileName: string, rowsChanged: number, later: number): string {
  const done =
    rowsChanged === 0
      ? `Merged “${fileName}”: nothing needed to change here.`
      : `Merged “${fileName}”: ${plural(rowsChanged, 'row')} changed here.`;
  return later === 0 ? done : `${done} ${plural(later, 'row')} left for later.`;
}

export const rowsOf = (tables: readonly TableCounts[]): number =>
  tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0);

const rows = (count: number): string => `${plural(count, 'row')} that`;
const is = (count: number): string => (count === 1 ? 'is' : 'are');

/** “ (2 new, 1 changed, 1 deleted)”. */
function partsOf(tables: readonly TableCounts[]): string {
  const sum = (of: (counts: TableCounts) => number): number => tables.reduce((total, counts) => total + of(counts), 0);
  const parts = [
    [sum(({ inserted }) => inserted), 'new'],
    [sum(({ updated }) => updated), 'changed'],
    [sum(({ deleted }) => deleted), 'deleted'],
  ] as const;
  return ` (${parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${formatCount(count)} ${word}`)
    .join(', ')})`;
}
