// `npm test`: everything there is to check, in one go, ending with one line that counts it all.
import { ensureBundle } from './bundle.ts';
import { runChecks } from './check.ts';
import { add, one, type Counts } from './counts.ts';
import { runEndToEndTests } from './e2e.ts';
import { runSmokeTest } from './smoke.ts';
import { command } from './tool.ts';
import { runUnitTests } from './unit.ts';

interface Stage {
  readonly title: string;
  run(): Promise<Counts>;
  /** The titles of stages without whose success this one would only repeat their failure. */
  readonly needs?: readonly string[];
}

const STAGES: readonly Stage[] = [
  { title: 'Checks', run: runChecks },
  { title: 'Unit tests and engine contract', run: () => runUnitTests([]) },
  { title: 'Bundle', run: () => ensureBundle().then(() => one(true)) },
  { title: 'End to end', run: () => runEndToEndTests([]), needs: ['Bundle'] },
  { title: 'Packaged app', run: runSmokeTest, needs: ['Bundle'] },
];

await command(import.meta, async () => {
  const failedStages = new Set<string>();
  let total: Counts = { passed: 0, failed: 0 };
  for (const stage of STAGES) {
    console.log(`\n== ${stage.title}`);
    const counts = await runStage(stage, failedStages);
    if (counts.failed > 0) failedStages.add(stage.title);
    total = add(total, counts);
  }
  console.log(failedStages.size > 0 ? `\nFailed: ${[...failedStages].join(', ')}` : '');
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
});

async function runStage(stage: Stage, failedStages: ReadonlySet<string>): Promise<Counts> {
  const missing = stage.needs?.find((title) => failedStages.has(title));
  if (missing) {
    console.log(`Not run: “${missing}” failed`);
    return one(false);
  }
  try {
    return await stage.run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return one(false);
  }
}
