// A published figure in a few characters.
import type { PublishedFigure } from '#shared/bench/published.ts';
import { formatRatio, formatTime } from './labels.ts';

export function figureText({ kind, value }: Pick<PublishedFigure, 'kind' | 'value'>): string {
  return kind === 'ratio' ? formatRatio(value) : formatTime(value, 'ms');
}
