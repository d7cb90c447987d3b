// Pixels of small shapes, and of those that are partly, or not at all, on the layer.
import { expect, test } from 'vitest';
import { PixelLayer } from './pixel-layer.ts';

const rowsOf = ({ pixels, width, height }: PixelLayer): readonly string[] =>
  Array.from({ length: height }, (_, row) =>
    Array.from(pixels.subarray(row * width, (row + 1) * width), (pixel) => (pixel === 7 ? '#' : '.')).join(''),
  );

test('a disc is round, and cut at the edges', () => {
  const layer = new PixelLayer(9, 7, 7);
  layer.disc(4.2, 3.9, 2.5);
  expect(rowsOf(layer)).toEqual([
    '.........',
    '...###...',
    '..#####..',
    '..#####..',
    '..#####..',
    '...###...',
    '.........',
  ]);
  const cut = new PixelLayer(3, 3, 7);
  cut.disc(0, 0, 1);
  for (const [x, y] of [
    [-5, 0],
    [9, 9],
    [0, -9],
  ] as const)
    cut.disc(x, y, 2);
  expect(rowsOf(cut)).toEqual(['##.', '#..', '...']);
});

test('an edge has both ends, and no pixel outside', () => {
  const layer = new PixelLayer(6, 4, 7);
  layer.edge(0.5, 0.5, 5.5, 2.5);
  expect(rowsOf(layer)).toEqual(['##....', '..##..', '....##', '......']);
  const outside = new PixelLayer(3, 3, 7);
  outside.edge(-4, 1, 8, 1);
  outside.edge(5, 5, 9, 9);
  expect(rowsOf(outside)).toEqual(['...', '###', '...']);
});
