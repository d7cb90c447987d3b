import { app } from 'electron';
import { afterEach, expect, it, vi } from 'vitest';
import { whyNoSandbox } from './sandbox.ts';

vi.mock('electron', () => ({
  app: { isPackaged: true, commandLine: { hasSwitch: vi.fn<(name: string) => boolean>() } },
}));

function start(switches: readonly string[], user: number, packaged = true): void {
  vi.mocked(app.commandLine.hasSwitch).mockImplementation((name) => switches.includes(name));
  Object.assign(app, { isPackaged: packaged });
  vi.spyOn(process, 'getuid').mockReturnValue(user);
}
afterEach(() => vi.unstubAllEnvs());

it('says who has taken the sandbox away, and how it comes back', () => {
  vi.stubEnv('APPIMAGE', undefined);
  start(['no-sandbox'], 0);
  expect(whyNoSandbox()).toBe('root');
  start(['no-sandbox'], 1000);
  expect(whyNoSandbox()).toBe('switch');
  vi.stubEnv('APPIMAGE', '/home/ada/Sidelite.AppImage');
  expect(whyNoSandbox()).toBe('app-image');
});

it('says nothing with a sandbox, and nothing to who works on the sources', () => {
  start([], 1000);
  expect(whyNoSandbox()).toBe(null);
  start(['no-sandbox'], 0, false);
  expect(whyNoSandbox()).toBe(null);
});
