// The list of steps as shown to the user: by day, runs of a script as one, and the position of “now”. Pure.
import type { HistoryStep, TableCounts } from '#shared/protocol/index.ts';

export type HistoryItem =
  | { readonly kind: 'day'; readonly key: string; readonly atMs: number }
  /** The steps above it are undone, those below it are done. */
  | { readonly kind: 'now'; readonly key: string }
  | { readonly kind: 'run'; readonly key: string; readonly steps: readonly HistoryStep[]; readonly isUnfolded: boolean }
  | { readonly kind: 'step'; readonly key: string; readonly step: HistoryStep; readonly isInRun: boolean };

export const ITEM_PX: Readonly<Record<HistoryItem['kind'], number>> = { day: 28, now: 22, run: 44, step: 44 };

/** `steps` newest first. */
export function historyItems(steps: readonly HistoryStep[], unfolded: ReadonlySet<string>): readonly HistoryItem[] {
  const items: HistoryItem[] = [];
  const hasUndone = steps[0]?.state === 'undone';
  let day = '';
  let isNowShown = false;
  for (const group of groupsOf(steps)) {
    const first = group[0]!;
    if (hasUndone && !isNowShown && first.state === 'done') {
      items.push({ kind: 'now', key: 'now' });
      isNowShown = true;
    }
    const ownDay = dayOf(first);
    if (ownDay !== day) items.push({ kind: 'day', key: `day ${ownDay}`, atMs: first.atMs });
    day = ownDay;
    items.push(...groupItems(group, unfolded));
  }
  if (hasUndone && !isNowShown) items.push({ kind: 'now', key: 'now' });
  return items;
}

function groupItems(group: readonly HistoryStep[], unfolded: ReadonlySet<string>): readonly HistoryItem[] {
  const stepItem = (step: HistoryStep, isInRun: boolean): HistoryItem => ({
    kind: 'step',
    key: stepKey(step),
    step,
    isInRun,
  });
  if (group.length === 1) return [stepItem(group[0]!, false)];
  const key = `run ${group[0]!.run} ${group[0]!.state}`;
  const isUnfolded = unfolded.has(key);
  const head: HistoryItem = { kind: 'run', key, steps: group, isUnfolded };
  return isUnfolded ? [head, ...group.map((step) => stepItem(step, true))] : [head];
}

const stepKey = ({ id }: Pick<HistoryStep, 'id'>): string => `step ${id}`;

/** Groups neighbors of the same run, day, and state. */
function groupsOf(steps: readonly HistoryStep[]): readonly (readonly HistoryStep[])[] {
  const groups: HistoryStep[][] = [];
  for (const step of steps) {
    const last = groups.at(-1)?.at(-1);
    const belongs = last && last.run === step.run && last.state === step.state && dayOf(last) === dayOf(step);
    if (belongs) groups.at(-1)!.push(step);
    else groups.push([step]);
  }
  return groups;
}

const dayOf = ({ atMs }: HistoryStep): string => new Date(atMs).toDateString();

export function sumOfTables(steps: readonly HistoryStep[]): readonly TableCounts[] {
  const sums = new Map<string, TableCounts>();
  for (const { tables } of steps) {
    for (const { table, inserted, updated, deleted } of tables) {
      const sum = sums.get(table) ?? { table, inserted: 0, updated: 0, deleted: 0 };
      sums.set(table, {
        table,
        inserted: sum.inserted + inserted,
        updated: sum.updated + updated,
        deleted: sum.deleted + deleted,
      });
    }
  }
  return [...sums.values()];
}
