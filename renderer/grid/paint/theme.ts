// The colors and fonts the canvas paints with: read from the CSS variables, so that canvas and HTML share one theme.
import type { TintColor } from '../cell-tints.ts';

/** The text color can be read on it, over the selection as well. */
export const TINT_OPACITY = 0.22;

export interface GridTheme {
  readonly background: string;
  readonly panel: string;
  readonly raise: string;
  readonly line: string;
  readonly softLine: string;
  readonly text: string;
  readonly dim: string;
  readonly faint: string;
  readonly accent: string;
  readonly link: string;
  readonly selection: string;
  /** Forced colors have no tints: there the highlight is painted with low opacity, so that text on it stays readable. */
  readonly selectionOpacity: number;
  readonly number: string;
  readonly null: string;
  readonly warn: string;
  /** Color of new data: a changed cell for a moment, a row being added. */
  readonly glow: string;
  /** Background of a value that differs from the one it is compared with, and its edge. */
  readonly differs: string;
  readonly differsEdge: string;
  /** Background of a value that has only moved. */
  readonly moved: string;
  readonly tints: Readonly<Record<TintColor, string>>;
  /** 0 where colors are forced: there only a line shows how far a tint reaches. */
  readonly tintOpacity: number;
  readonly cellFont: string;
  readonly nullFont: string;
  readonly headerFont: string;
  readonly labelFont: string;
  readonly gutterFont: string;
}

/** System colors for users who force them: the browser then ignores the variables' colors in HTML, so the canvas must too. */
const FORCED: Readonly<Record<string, string>> = {
  '--bg': 'Canvas',
  '--panel': 'Canvas',
  '--raise': 'Canvas',
  '--line': 'GrayText',
  '--line2': 'GrayText',
  '--text': 'CanvasText',
  '--dim': 'CanvasText',
  '--faint': 'CanvasText',
  '--accent': 'Highlight',
  '--accent-bg': 'Canvas',
  '--accent-text': 'LinkText',
  '--sel': 'Highlight',
  '--num': 'CanvasText',
  '--null': 'GrayText',
  '--warn': 'CanvasText',
  '--glow': 'Canvas',
  '--del': 'CanvasText',
  '--del-bg': 'Canvas',
  '--warn-bg': 'Canvas',
  '--ins': 'CanvasText',
  '--kw': 'CanvasText',
  '--fn': 'CanvasText',
  '--error': 'CanvasText',
};

export function readTheme(element: Element): GridTheme {
  const style = getComputedStyle(element);
  const isForced = matchMedia('(forced-colors: active)').matches;
  const color = (name: string): string => (isForced && FORCED[name]) || style.getPropertyValue(name).trim() || 'gray';
  const mono = style.getPropertyValue('--mono').trim() || 'monospace';
  const cellSize = style.getPropertyValue('--cell-font-size').trim() || '12.5px';
  const ui = style.getPropertyValue('--ui').trim() || 'sans-serif';
  return {
    background: color('--bg'),
    panel: color('--panel'),
    raise: color('--raise'),
    line: color('--line'),
    softLine: color('--line2'),
    text: color('--text'),
    dim: color('--dim'),
    faint: color('--faint'),
    accent: color('--accent'),
    link: color('--accent-text'),
    selection: color('--sel'),
    selectionOpacity: isForced ? 0.3 : 1,
    number: color('--num'),
    null: color('--null'),
    warn: color('--warn'),
    glow: color('--glow'),
    differs: color('--del-bg'),
    differsEdge: color('--del'),
    moved: color('--warn-bg'),
    tints: {
      green: color('--ins'),
      blue: color('--kw'),
      purple: color('--fn'),
      orange: color('--warn'),
      red: color('--error'),
    },
    tintOpacity: isForced ? 0 : TINT_OPACITY,
    cellFont: `${cellSize} ${mono}`,
    nullFont: `italic ${cellSize} ${mono}`,
    headerFont: `600 12px ${ui}`,
    labelFont: `11px ${ui}`,
    gutterFont: `11.5px ${mono}`,
  };
}

/** Calls `listener` when colors, contrast or pixel density may have changed. Returns a function that removes it. */
export function onThemeChange(listener: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)'].map((query) =>
    matchMedia(query),
  );
  for (const query of queries) query.addEventListener('change', listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class', 'style'] });
  return () => {
    for (const query of queries) query.removeEventListener('change', listener);
    observer.disconnect();
  };
}
