// The product pictures of the sample: a small colored pattern each, so that a blob column shows something worth seeing.
import { encodePng } from './png.ts';
import type { Color } from './png.ts';
import type { Random } from '#shared/random.ts';

export const PICTURE_SIZE = 32;

type Pattern = (x: number, y: number) => number;

const HALF = PICTURE_SIZE / 2;

/** Each returns a palette index 0…3 for a pixel. */
const PATTERNS: readonly ((step: number) => Pattern)[] = [
  (step) => (x, y) => ((x + y) / step) & 3, // diagonal stripes
  (step) => (x, y) => (((x / step) & 1) ^ ((y / step) & 1)) * 2 + (y > HALF ? 1 : 0), // checks above and below a horizon
  (step) => (x, y) => (Math.hypot(x - HALF, y - HALF) / step) & 3, // rings
  (step) => (x, y) => (y < HALF + Math.abs(((x * 2) % (step * 4)) - step * 2) - step ? 0 : y > 26 ? 3 : 2), // mountains
  (step) => (x, y) => ((Math.abs(x - HALF) + Math.abs(y - HALF)) / step) & 3, // diamonds
];

export function productPicture(random: Random): Uint8Array {
  const pattern = random.pick(PATTERNS)(random.between(3, 7));
  const pixels = new Uint8Array(PICTURE_SIZE * PICTURE_SIZE);
  for (let y = 0; y < PICTURE_SIZE; y++) {
    for (let x = 0; x < PICTURE_SIZE; x++) pixels[y * PICTURE_SIZE + x] = pattern(x, y);
  }
  return encodePng({ width: PICTURE_SIZE, height: PICTURE_SIZE, palette: palette(random), pixels });
}

/** Four shades of one hue, from a pale ground to a dark line. */
function palette(random: Random): readonly Color[] {
  const base: Color = [random.between(40, 220), random.between(40, 220), random.between(40, 220)];
  const shade = (toward: number, amount: number): Color => [
    Math.round(base[0] + (toward - base[0]) * amount),
    Math.round(base[1] + (toward - base[1]) * amount),
    Math.round(base[2] + (toward - base[2]) * amount),
  ];
  return [shade(255, 0.7), shade(255, 0.3), base, shade(0, 0.5)];
}
