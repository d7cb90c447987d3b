import { expect, test } from 'vitest';
import { Camera, MAX_ZOOM } from './camera.ts';

function cameraOf(width: number, height: number): Camera {
  const camera = new Camera();
  camera.resize({ width, height });
  return camera;
}

test('zooming leaves the point under the pointer where it is, and has its limits', () => {
  const camera = cameraOf(800, 600);
  const pointAt = (x: number, y: number) => {
    const { x: left, y: top, zoom } = camera.state();
    return { x: left + x / zoom, y: top + y / zoom };
  };
  camera.panBy(130, -70);
  const before = pointAt(200, 150);
  camera.zoomTo(2, { x: 200, y: 150 });
  expect(camera.zoom()).toBe(2);
  expect(pointAt(200, 150)).toEqual(before);
  camera.zoomTo(1000);
  expect(camera.zoom()).toBe(MAX_ZOOM);
});

test('what is fitted is wholly in view, in the middle, and not enlarged', () => {
  const camera = cameraOf(800, 600);
  camera.fit({ x: -1000, y: 50, width: 4000, height: 100 });
  const { x, y, width, height } = camera.view;
  expect([x < -1000, x + width > 3000, y < 50, y + height > 150]).toEqual([true, true, true, true]);
  expect(x + width / 2).toBeCloseTo(1000);
  expect(y + height / 2).toBeCloseTo(100);
  camera.fit({ x: 0, y: 0, width: 10, height: 10 });
  expect(camera.zoom()).toBe(1);
});

test('a table that is gone to is revealed by moving no farther than it takes', () => {
  const camera = cameraOf(800, 600);
  camera.reveal({ x: 100, y: 100, width: 200, height: 100 });
  expect(camera.state()).toEqual({ x: 0, y: 0, zoom: 1 });
  camera.reveal({ x: 900, y: 100, width: 200, height: 100 });
  expect(camera.state()).toEqual({ x: 316, y: 0, zoom: 1 });
});
