import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { utilityProcess } from 'electron';
import { expect, it, vi } from 'vitest';
import { log } from '../crash.ts';
import { startNativeProcess } from './native-process.ts';

// Here only its side of main can be tried.
vi.mock('electron', () => ({
  app: { isPackaged: false, getAppPath: () => '/app' },
  utilityProcess: { fork: vi.fn<(...args: unknown[]) => unknown>() },
}));
vi.mock('../crash.ts', () => ({ log: vi.fn<(line: string) => void>() }));
vi.mock('node:fs', () => ({ existsSync: () => true }));

it('an error of the engine process is logged with what it printed, and does not end main', async () => {
  const child = Object.assign(new EventEmitter(), { pid: 4711, stderr: new PassThrough() });
  vi.mocked(utilityProcess.fork).mockReturnValue(child as never);
  const exited = vi.fn<(how: string) => void>();
  startNativeProcess('native.mjs', ['/history'], { answered: () => undefined, exited });
  expect(vi.mocked(utilityProcess.fork)).toHaveBeenCalledWith(
    '/app/dist/native/native.mjs',
    ['/app', '/history'],
    expect.objectContaining({ serviceName: 'Sidelite native engine' }),
  );
  child.stderr.write('out of memory\n');
  child.emit('error', 'FatalError', 'v8::Heap', '{}');
  child.emit('exit', 5);
  expect(exited).toHaveBeenCalledWith('exit code 5');
  await expect.poll(() => vi.mocked(log).mock.calls.flat()).toContain('Sidelite native engine: out of memory');
  expect(vi.mocked(log).mock.calls.flat()).toContain('Sidelite native engine: FatalError at v8::Heap');
});
