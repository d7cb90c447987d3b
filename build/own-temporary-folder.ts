// Loaded ahead of each file of unit tests: a temporary folder of its own, in which the file must leave nothing, and one on a memory disk.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';

/** A process that was told to end takes its folder with it, a moment later. */
const TIMEOUT_MS = 5000;

const outer = tmpdir();
// Short, because some tests have sockets in it, whose paths are limited to some hundred bytes.
const folder = mkdtempSync(join(outer, 'u-'));
// Some tests try what another user may do: like the system's own folder, for all, each of whom removes only what is theirs.
chmodSync(folder, 0o1777);
const point = (to: string): void => void Object.assign(process.env, { TMPDIR: to, TEMP: to, TMP: to });
point(folder);
const inMemory = existsSync('/dev/shm') ? mkdtempSync('/dev/shm/sidelite-') : null;
process.env['SIDELITE_MEMORY_FOLDER'] = inMemory ?? folder;

// Registered first, so it runs after whatever the file itself does at its end.
afterAll(async () => {
  try {
    const until = performance.now() + TIMEOUT_MS;
    while (readdirSync(folder).length > 0 && performance.now() < until) await setTimeout(20);
    expect(readdirSync(folder), 'left in the temporary folder').toEqual([]);
  } finally {
    point(outer);
    for (const one of [folder, inMemory]) if (one !== null) rmSync(one, { recursive: true, force: true });
  }
});
