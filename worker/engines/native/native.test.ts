// The native engine against the contract of all engines.
import { join } from 'node:path';
import { describeEngine } from '../contract.test-suite.ts';
import { memoryFolder } from '../memory-folder.test-suite.ts';
import { createNativeEngine } from './native-engine.ts';
import { EXCEPTIONS } from './native.test-suite.ts';

let made = 0;

describeEngine('native engine', async () => {
  const folder = memoryFolder();
  return {
    engine: await createNativeEngine(),
    freshLocation: () => join(folder, `${++made}.sqlite3`),
    exceptions: EXCEPTIONS,
  };
});
