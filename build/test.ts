// `npm test`: everything that a change needs, in one go, ending with one line that counts it all. What takes longer is in `test-long.ts`.
import { SHORT_STORIES } from './e2e-options.ts';
import { runEndToEndTests } from './e2e.ts';
import { BUNDLE, runPlan, UNIT } from './stages.ts';
import { command } from './tool.ts';

await command(import.meta, () =>
  runPlan({
    stages: [UNIT, { title: 'End to end', run: () => runEndToEndTests(SHORT_STORIES), needs: BUNDLE }],
    beside: [
      BUNDLE,
      { title: 'Checks', script: 'check.ts' },
      { title: 'Packaged app', script: 'package.ts', needs: BUNDLE },
    ],
  }),
);
