// `npm run test:long`: what takes longer than a change may wait for. All seeds, the stories with the tag `@long`, those of `npm test` once more
// on a busy machine, and packages of every kind.
import { ensureBundle } from './bundle.ts';
import { one } from './counts.ts';
import { LONG_STORIES, SHORT_STORIES } from './e2e-options.ts';
import { runEndToEndTests } from './e2e.ts';
import { runEveryPackaging } from './package.ts';
import { runStages, UNIT, type Stage } from './stages.ts';
import { command } from './tool.ts';

const BUNDLE: Stage = { title: 'Bundle', run: () => ensureBundle().then(() => one(true)) };
// Each run of Playwright empties its folder when it begins.
const STAGES: readonly Stage[] = [
  UNIT,
  BUNDLE,
  {
    title: 'End to end, what takes longer',
    run: () => runEndToEndTests([...LONG_STORIES, '--output', 'test-results/long']),
    needs: BUNDLE,
  },
  {
    title: 'End to end, on a busy machine',
    run: () => runEndToEndTests([...SHORT_STORIES, '--stress', '--output', 'test-results/stress']),
    needs: BUNDLE,
  },
  { title: 'Packages', run: runEveryPackaging, needs: BUNDLE },
];

await command(import.meta, () => {
  // Unit tests take all seeds, and their files `*.long.test.ts`.
  process.env['SIDELITE_LONG'] = '1';
  return runStages(STAGES);
});
