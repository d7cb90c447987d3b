// The native engine against the contract of all engines.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeEngine } from '../contract.test-suite.ts';
import { createNativeEngine } from './native-engine.ts';

let made = 0;

describeEngine('native engine', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sidelite-native-'));
  return {
    engine: await createNativeEngine(),
    freshLocation: () => join(folder, `${++made}.sqlite3`),
    exceptions: { namesMoreReads: true, losesInvalidText: true },
  };
});
