// `npm run test:long`: what takes longer than a change may wait for. All seeds, the stories with the tag `@long`, those of `npm test` once more
// on a busy machine, and packages of every kind.
import { LONG_STORIES, SHORT_STORIES } from './e2e-options.ts';
import { runEndToEndTests } from './e2e.ts';
import { BUNDLE, runPlan, UNIT } from './stages.ts';
import { command } from './tool.ts';

await command(import.meta, () => {
  // Unit tests take all seeds, and their files `*.long.test.ts`.
  process.env['SIDELITE_LONG'] = '1';
  return runPlan({
    stages: [
      UNIT,
      {
        title: 'End to end, what takes longer',
        run: () => runEndToEndTests([...LONG_STORIES, '--output', 'test-results/long']),
        needs: BUNDLE,
      },
      {
        title: 'End to end, on a busy machine',
        // Playwright empties its folder when it begins: what the other run has left is in another one.
        run: () => runEndToEndTests([...SHORT_STORIES, '--stress', '--output', 'test-results/stress']),
        needs: BUNDLE,
      },
    ],
    beside: [BUNDLE, { title: 'Packages', script: 'package.ts', args: ['every'], needs: BUNDLE }],
  });
});
