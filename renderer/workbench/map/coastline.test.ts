// The coasts are where the world has them.
import { expect, test } from 'vitest';
import { coastlines } from './coastline.ts';
import { mercatorX, mercatorY } from './projection.ts';

test('coasts are finite, on the globe, and pass the Cape of Good Hope', () => {
  const lines = coastlines();
  expect(lines.length).toBeGreaterThan(100);
  const edge = mercatorX(180);
  const [x, y] = [mercatorX(18.4), mercatorY(-34.2)];
  let nearest = Infinity;
  for (const line of lines)
    for (let at = 0; at < line.length; at += 2) {
      expect(Math.abs(line[at]!) <= edge && Number.isFinite(line[at + 1]!)).toBe(true);
      nearest = Math.min(nearest, Math.hypot(line[at]! - x, line[at + 1]! - y));
    }
  // At this scale a coast is right to half a degree.
  expect(nearest).toBeLessThan(60_000);
});
