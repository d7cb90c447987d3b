// A machine that is busy with other things: `npm run e2e -- --stress` runs the same tests beside it.
import { fork } from 'node:child_process';
import { fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

const SLICE_MS = 50;
const BLOCK = new Uint8Array(4 * 1024 * 1024).fill(0x5a);
const BLOCKS_PER_FILE = 16;

/** Keeps every core, and the disk on which tests have their profiles, busy until the result is called. */
export function startStress(): () => void {
  const loads = ['disk', ...Array.from({ length: availableParallelism() }, () => 'core')];
  const children = loads.map((load) => fork(import.meta.filename, [load]));
  const stop = (): void => {
    process.off('exit', stop);
    for (const child of children) child.kill();
  };
  process.once('exit', stop);
  return stop;
}

function keepCoreBusy(): void {
  for (const endsAt = performance.now() + SLICE_MS; performance.now() < endsAt;);
}

/** Each flush of others waits behind megabytes of these, as on a slow disk. */
function diskLoad(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-stress-'));
  const file = openSync(join(folder, 'load'), 'w');
  // A file without a name leaves nothing behind, however this process ends. Windows does not take the name from an open file.
  if (process.platform !== 'win32') rmSync(folder, { recursive: true });
  let block = 0;
  return () => {
    writeSync(file, BLOCK, 0, BLOCK.length, (block++ % BLOCKS_PER_FILE) * BLOCK.length);
    fdatasyncSync(file);
  };
}

function repeat(step: () => void): void {
  step();
  setImmediate(repeat, step);
}

if (import.meta.main) {
  // The runner is gone, perhaps killed: nothing may keep the machine busy after it.
  process.once('disconnect', () => process.exit());
  repeat(process.argv[2] === 'disk' ? diskLoad() : keepCoreBusy);
}
