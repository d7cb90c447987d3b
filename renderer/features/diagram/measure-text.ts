// Width of a text in the font of diagrams. Measured once for each name.
import { FONT_SIZE } from './scene.ts';

const widths = new Map<string, number>();
/** The cache is cleared when it has this many names. */
const MAX_KNOWN = 50_000;
let context: CanvasRenderingContext2D | null = null;
let fonts: readonly [plain: string, bold: string] | null = null;

export function measureText(text: string, bold: boolean): number {
  const key = bold ? `b${text}` : `p${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  context ??= document.createElement('canvas').getContext('2d');
  fonts ??= fontsOf(getComputedStyle(document.body).fontFamily);
  context!.font = fonts[bold ? 1 : 0];
  const width = context!.measureText(text).width;
  if (widths.size >= MAX_KNOWN) widths.clear();
  widths.set(key, width);
  return width;
}

const fontsOf = (family: string): readonly [string, string] => [
  `400 ${FONT_SIZE}px ${family}`,
  `600 ${FONT_SIZE}px ${family}`,
];
