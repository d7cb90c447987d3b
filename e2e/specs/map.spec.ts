// Geometries in the real app: drawn in the details, and on a map beside the rows of a table and of a result.
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { findings } from '../findings.ts';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { boxOf, settled } from '../support/settled.ts';

/** A blob of GeoPackage: its header, and a point as WKB. */
function point(srid: number, x: number, y: number): string {
  const bytes = Buffer.alloc(29);
  bytes.write('GP');
  bytes[3] = 1;
  bytes.writeInt32LE(srid, 4);
  bytes.writeUInt8(1, 8);
  bytes.writeUInt32LE(1, 9);
  bytes.writeDoubleLE(x, 13);
  bytes.writeDoubleLE(y, 21);
  return `x'${bytes.toString('hex')}'`;
}

const CITIES = `
  CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT, geom POINT);
  INSERT INTO city VALUES (1, 'Berlin', ${point(4326, 13.4, 52.5)}), (2, 'Nowhere', NULL), (3, 'Lima', ${point(4326, -77, -12)}),
    (4, 'Tokyo', ${point(4326, 139.7, 35.7)});
  CREATE TABLE plot (id INTEGER PRIMARY KEY, shape TEXT);
  INSERT INTO plot VALUES (1, 'POLYGON ((0 0, 10 0, 10 10, 0 10, 0 0), (2 2, 3 2, 3 3, 2 2))'), (2, 'POLYGON ((20 0, 30 0, 30 10, 20 0))');
  CREATE TABLE plain (id INTEGER PRIMARY KEY, word TEXT);
  INSERT INTO plain VALUES (1, 'x');
`;

const map = (page: Page): Locator => page.getByRole('img', { name: /^Map of / });
const place = (page: Page): Locator => page.getByRole('status', { name: 'Row on the map' });
const width = (page: Page): Locator => page.getByRole('separator', { name: 'Width of the rows' });
const widthNow = async (page: Page): Promise<number> => Number(await width(page).getAttribute('aria-valuenow'));
const notes = (page: Page): Locator => page.getByRole('region', { name: 'Map' }).locator('.map-notes');

test('a map of a table and of a result: selection both ways, by key and pointer', async ({ idleApp }) => {
  const page = await idleApp.start(makeDatabase(join(idleApp.folder, 'world.db'), { kind: 'sql', sql: CITIES }));
  const view = new AppWindow(page);
  await view.opened('world');
  const grid = await view.openTable('city');
  await grid.click(0, 'geom');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByRole('img', { name: 'Picture of the Point' })).toBeVisible();
  await expect(details).toContainText('GeoPackage geometry');
  await expect(details.getByLabel('WKT', { exact: true })).toHaveText('POINT (13.4 52.5)');
  await details.getByRole('button', { name: 'Copy WKT' }).click();

  await page.getByRole('button', { name: 'Map', exact: true }).click();
  await expect(map(page)).toHaveAccessibleName(/^Map of geom: 3 shapes\. Longitude, latitude \(EPSG:4326\)/);
  await expect(notes(page)).toContainText('3 shapes. 1 row without a geometry');
  await expect(place(page)).toHaveText('Row 1');
  await grid.click(3, 'name');
  await expect(place(page)).toHaveText('Row 4');
  await map(page).focus();
  await page.keyboard.press('PageUp');
  await expect(place(page)).toHaveText('Row 3');
  await expect(details).toContainText('Lima');
  // The middle of the map is between Lima in the west and Tokyo in the east: Lima is at the left edge.
  await page.keyboard.press('0');
  const box = await settled(() => boxOf(map(page)));
  await page.keyboard.press('PageDown');
  await expect(place(page)).toHaveText('Row 4');
  await page.keyboard.press('PageUp');
  await page.keyboard.press('PageUp');
  await expect(place(page)).toHaveText('Row 1');
  const scale = Math.min((box.width - 48) / 216.7, Infinity);
  const mercator = (latitude: number): number =>
    (Math.log(Math.tan(Math.PI / 4 + (latitude * Math.PI) / 360)) * 180) / Math.PI;
  const middle = (mercator(52.5) + mercator(-12)) / 2;
  await map(page).click({
    position: { x: box.width / 2 - 108.35 * scale, y: box.height / 2 + (middle - mercator(-12)) * scale },
  });
  await expect(details).toContainText('Lima');

  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    expect(await findings(page, 'Map of a table', theme)).toEqual([]);
  }

  await test.step('a result, with other coordinates', async () => {
    await page.keyboard.press('Control+Shift+m');
    await expect(map(page)).toBeHidden();
    await view.runSql('SELECT id, shape FROM plot');
    await page.getByRole('button', { name: 'Map', exact: true }).click();
    await expect(map(page)).toHaveAccessibleName(/^Map of shape: 2 shapes\. As stored, unprojected/);
    await expect(notes(page)).toContainText('Unprojected: the SRID is not known');
    await page.getByRole('combobox', { name: 'Coordinates' }).selectOption('longitude-latitude');
    await expect(map(page)).toHaveAccessibleName(/EPSG:4326/);
    await map(page).focus();
    await page.keyboard.press('PageDown');
    await expect(place(page)).toHaveText('Row 2');
  });

  await test.step('no geometry to draw, also after a restart, and as wide as it was made', async () => {
    await view.openTable('plain');
    await page.keyboard.press('Control+Shift+m');
    await expect(page.getByText('No column has geometries')).toBeVisible();
    await width(page).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => widthNow(page)).toBeLessThan(49);
    const made = await widthNow(page);
    const again = await idleApp.relaunch();
    await expect(again.getByText('No column has geometries')).toBeVisible({ timeout: 30_000 });
    expect(Math.abs((await widthNow(again)) - made)).toBeLessThan(2);
    await again.getByRole('button', { name: 'Hide map' }).click();
    await expect(new AppWindow(again).grid('Rows of plain').root).toBeFocused();
  });
});
