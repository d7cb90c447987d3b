// The native engine against the contract of all engines.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEngine } from '../contract.test-suite.ts';
import { createNativeEngine } from './native-engine.ts';
import { EXCEPTIONS } from './native.test-suite.ts';
import { afterAll } from 'vitest';

/** Hundreds of small databases with a flush for each statement: a disk would take minutes. */
const IN_MEMORY = existsSync('/dev/shm') ? '/dev/shm' : null;

const folders: string[] = [];
let made = 0;

describeEngine('native engine', async () => {
  const folder = mkdtempSync(join(IN_MEMORY ?? tmpdir(), 'sidelite-native-'));
  folders.push(folder);
  return {
    engine: await createNativeEngine(),
    freshLocation: () => join(folder, `${++made}.sqlite3`),
    exceptions: EXCEPTIONS,
  };
});

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
