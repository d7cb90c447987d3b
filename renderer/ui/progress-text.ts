// How far something is, in words: “1.2 of 3.2 GB”, “about 40 s left”.
import { formatBytes, formatCount, formatElapsed } from './format.ts';

export interface Amount {
  readonly done: number;
  readonly total: number | null;
  readonly unit: 'bytes' | 'rows' | 'statements' | 'steps';
}

export function amountText({ done, total, unit }: Amount): string {
  const one = (value: number): string => (unit === 'bytes' ? formatBytes(value) : formatCount(value));
  const suffix = unit === 'bytes' ? '' : ` ${unit}`;
  return total === null ? `${one(done)}${suffix}` : `${one(done)} of ${one(total)}${suffix}`;
}

/** “Copying rows · 1.2 of 3.2 GB”: the phase, or `title` until there is one, and how far it is if its end is known. */
export const phaseText = (progress: (Amount & { readonly phase: string }) | null, title: string): string =>
  [progress?.phase ?? title, progress?.total ? amountText(progress) : null].filter(Boolean).join(' · ');

export const timeLeftText = (leftMs: number): string => `about ${formatElapsed(leftMs)} left`;

/** 0 … 1, or null when the end is not known. */
export const shareOf = (amount: Pick<Amount, 'done' | 'total'> | null): number | null =>
  amount?.total ? Math.min(1, amount.done / amount.total) : null;
