// A server that is far away: what one does in the window does not wait for more round trips than it has to.
import { expect, test } from '../server-fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';
import { onServer, saveConnection } from '../support/server.ts';

const PATIENT = { timeout: 60_000 };
const DELAY_MS = 4_000;

test(
  'a value is shown from the moment it is stored, not only when its row has been read again',
  { tag: '@long' },
  async ({ page, distantServer: { url, controls } }) => {
    const view = new AppWindow(page);
    await view.connected();
    await saveConnection(page, { address: url });
    await view.openFromLibrary('Shop');
    const grid = await view.openTable('item');
    await expect(grid.cell(0, 'name')).toHaveText('ant');
    controls.delayMs = DELAY_MS;
    await grid.edit(0, 'name', 'emu');
    await expect(grid.editor).toHaveCount(0, PATIENT);
    // Reading the row takes longer than this.
    await expect(grid.cell(0, 'name')).toHaveText('emu', { timeout: DELAY_MS / 2 });
    controls.delayMs = 0;
    // What others store afterwards takes its place.
    await onServer(url, "UPDATE item SET name = 'yak' WHERE name = 'emu'");
    await expect(grid.cell(0, 'name')).toHaveText('yak', PATIENT);
  },
);
