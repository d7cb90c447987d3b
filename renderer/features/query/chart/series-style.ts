// How the series of a chart are distinguished: by color, and from the seventh on also by dashes.

export type Ink = 'bg' | 'line' | 'line-strong' | 'text' | 'dim' | 'accent' | 'kw' | 'str' | 'fn' | 'error';

const INKS: readonly Ink[] = ['accent', 'kw', 'str', 'fn', 'error', 'dim'];
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

export function lineStyle(series: number): { readonly ink: Ink; readonly dash: readonly number[] } {
  return { ink: INKS[series % INKS.length]!, dash: DASHES[Math.floor(series / INKS.length) % DASHES.length]! };
}

/** Few enough points to mark each on its line. */
export const isSparse = (points: number): boolean => points <= 60;

export function themeColors(): (ink: Ink) => string {
  const style = getComputedStyle(document.documentElement);
  return (ink) => style.getPropertyValue(`--${ink}`).trim();
}
