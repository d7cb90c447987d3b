// The native engine with a key against the contract of all engines.
import { join } from 'node:path';
import { describeEngine } from '../../contract.test-suite.ts';
import { memoryFolder } from '../../memory-folder.test-suite.ts';
import { createCipherEngine } from '../native-engine.ts';
import { EXCEPTIONS } from '../native.test-suite.ts';
import { givenKey } from './given-key.test-suite.ts';

const folder = memoryFolder();
let made = 0;

describeEngine('native engine with a key', async () => ({
  engine: await createCipherEngine(givenKey('secret'), folder),
  freshLocation: () => join(folder, `${++made}.sqlite3`),
  exceptions: { ...EXCEPTIONS, without: { 'plain bytes': 'they are encrypted' } },
  isSlow: true,
}));
