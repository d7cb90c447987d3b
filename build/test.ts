// `npm test`: everything that a change needs, in one go, ending with one line that counts it all. What takes longer is in `test-long.ts`.
import { ensureBundle } from './bundle.ts';
import { runChecks } from './check.ts';
import { one } from './counts.ts';
import { SHORT_STORIES } from './e2e-options.ts';
import { runEndToEndTests } from './e2e.ts';
import { runSmokeTest } from './smoke.ts';
import { runStages, UNIT, type Stage } from './stages.ts';
import { command } from './tool.ts';

const BUNDLE: Stage = { title: 'Bundle', run: () => ensureBundle().then(() => one(true)) };
const STAGES: readonly Stage[] = [
  { title: 'Checks', run: runChecks },
  UNIT,
  BUNDLE,
  { title: 'End to end', run: () => runEndToEndTests(SHORT_STORIES), needs: BUNDLE },
  { title: 'Packaged app', run: runSmokeTest, needs: BUNDLE },
];

await command(import.meta, () => runStages(STAGES));
