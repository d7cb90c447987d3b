import { beforeEach, expect, test, vi } from 'vitest';
import { browserSettings, rememberSettings, rememberedSettings } from './browser-settings.ts';

let stored: string | null = null;
let isFull = false;

beforeEach(() => {
  [stored, isFull] = [null, false];
  vi.stubGlobal('localStorage', {
    getItem: () => stored,
    setItem(_key: string, text: string) {
      if (isFull) throw new DOMException('', 'QuotaExceededError');
      stored = text;
    },
  });
});

test('without room a change is refused in words, and the settings stay as they were', async () => {
  await browserSettings.changeSettings({ theme: 'dark' });
  isFull = true;
  await expect(browserSettings.changeSettings({ theme: 'light' })).rejects.toMatchObject({
    code: 'full',
    message: 'The browser has no room for the settings. Nothing was changed.',
  });
  expect(rememberedSettings().chosen).toEqual({ theme: 'dark' });
});

test('in the app, where main keeps the settings, a browser without room is no error', () => {
  isFull = true;
  expect(rememberSettings({ chosen: { theme: 'dark' }, problem: null })).toBe(false);
});
