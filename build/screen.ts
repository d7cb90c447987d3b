// A screen for Electron where the machine has none: Xvfb on a display number of its own choice.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const SIZE = '1600x1000x24';

export interface Screen {
  /** Value for `DISPLAY`. */
  readonly display: string;
  close(): void;
}

export function hasScreen(): boolean {
  return process.platform !== 'linux' || Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

/** Always the same size, whatever screen the machine may have: tests and their pictures depend on it. */
export async function openVirtualScreen(): Promise<Screen> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', SIZE, '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const numbers = server.stdio[3] as Readable;
  const number = await new Promise<string>((resolve, reject) => {
    // Xvfb writes the number and the end of the line apart; a pipe closed in between would kill it.
    createInterface({ input: numbers }).once('line', resolve);
    server.once('error', () => reject(new Error('No screen, and Xvfb is not installed: apt-get install xvfb')));
    server.once('exit', () => reject(new Error('Xvfb did not start')));
  });
  // A screen that was not closed must not keep this process from ending, nor outlive it.
  server.unref();
  numbers.destroy();
  const close = (): void => {
    process.off('exit', close);
    server.kill();
  };
  process.once('exit', close);
  return { display: `:${number}`, close };
}
