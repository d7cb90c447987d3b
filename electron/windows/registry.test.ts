import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';

vi.mock(import('electron'), () => ({ BrowserWindow: { getFocusedWindow: () => null } }) as never);
vi.mock(import('../dropped.ts'), () => ({ logDropped: vi.fn() }) as never);
const { AppWindows, tell } = await import('./registry.ts');

test('a message to a window that is destroyed and has not said so yet is told as not handled', async () => {
  let isDestroyed = false;
  const webContents = { id: 1, isDestroyed: () => false, isCrashed: () => false, send: vi.fn() };
  const browserWindow = Object.defineProperty(new EventEmitter(), 'webContents', {
    get: () => {
      if (isDestroyed) throw new TypeError('Object has been destroyed');
      return webContents;
    },
  });
  Object.assign(browserWindow, { isDestroyed: () => isDestroyed });
  const fields = {
    windowId: 'a',
    number: 1,
    browserWindow,
    drops: null,
    enabledCommands: null,
    checkedCommands: new Set<string>(),
    crashes: 0,
  };
  const window = new AppWindows().add(fields as never);
  void tell(window, 'menu.chosen', () => 'file.newWindow');
  expect(webContents.send).toHaveBeenCalledTimes(1);
  isDestroyed = true;
  const told = tell(window, 'menu.chosen', () => 'file.newWindow');
  browserWindow.emit('closed');
  expect(await told).toBe(false);
  expect(webContents.send).toHaveBeenCalledTimes(1);
});
