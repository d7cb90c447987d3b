// The native engine with a key against the contract of all engines.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeEngine } from '../../contract.test-suite.ts';
import { createCipherEngine } from '../native-engine.ts';
import { EXCEPTIONS } from '../native.test-suite.ts';
import { givenKey } from './given-key.test-suite.ts';

const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'sidelite-encrypted-'));
let made = 0;

describeEngine('native engine with a key', async () => ({
  engine: await createCipherEngine(givenKey('secret'), folder),
  freshLocation: () => join(folder, `${++made}.sqlite3`),
  exceptions: { ...EXCEPTIONS, without: { 'plain bytes': 'they are encrypted' } },
  isSlow: true,
}));

afterAll(() => rmSync(folder, { recursive: true }));
