// Which of the rows that differ are applied or saved: whole kinds, and single rows that are exceptions. Pure.
import type { ChangeCounts, RowChoice, RowDifference } from '#shared/protocol/index.ts';

export type RowKind = RowDifference['kind'];

/** In the order in which they are shown. */
export const ROW_KINDS: readonly RowKind[] = ['inserted', 'updated', 'deleted'];

export interface ChosenRows {
  readonly kinds: ReadonlySet<RowKind>;
  /** Kinds of the exceptions, by the numbers of their rows. */
  readonly except: ReadonlyMap<number, RowKind>;
}

export const EVERY_ROW: ChosenRows = { kinds: new Set(ROW_KINDS), except: new Map() };

export const isChosen = ({ kinds, except }: ChosenRows, kind: RowKind, number: number): boolean =>
  kinds.has(kind) !== except.has(number);

export function withRow({ kinds, except }: ChosenRows, kind: RowKind, number: number): ChosenRows {
  const changed = new Map(except);
  if (!changed.delete(number)) changed.set(number, kind);
  return { kinds, except: changed };
}

export function withKind({ kinds, except }: ChosenRows, kind: RowKind, isOn: boolean): ChosenRows {
  const others = ROW_KINDS.filter((other) => other !== kind && kinds.has(other));
  return {
    kinds: new Set(isOn ? [...others, kind] : others),
    except: new Map([...except].filter(([, other]) => other !== kind)),
  };
}

export function chosenOf({ kinds, except }: ChosenRows, kind: RowKind, counts: ChangeCounts): number {
  const exceptions = [...except.values()].filter((other) => other === kind).length;
  return kinds.has(kind) ? counts[kind] - exceptions : exceptions;
}

export const allOf = (counts: ChangeCounts): number => ROW_KINDS.reduce((sum, kind) => sum + counts[kind], 0);

export const allChosen = (chosen: ChosenRows, counts: ChangeCounts): number =>
  ROW_KINDS.reduce((sum, kind) => sum + chosenOf(chosen, kind, counts), 0);

export const asChoice = ({ kinds, except }: ChosenRows): RowChoice => ({
  kinds: [...kinds],
  except: [...except.keys()],
});
