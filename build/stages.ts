// The stages of `npm test` and `npm run test:long`: run one after another, counted together, each failure named at the end.
import { add, one, type Counts } from './counts.ts';
import { lastUnitFailures, runUnitTests } from './unit.ts';

export interface Stage {
  readonly title: string;
  run(): Promise<Counts>;
  /** Must succeed first: otherwise this stage would only repeat its failure. */
  readonly needs?: Stage;
}

export const UNIT: Stage = { title: 'Unit tests and engine contract', run: () => runUnitTests([]) };

/** Returns the exit code. */
export async function runStages(stages: readonly Stage[]): Promise<number> {
  const failedStages = new Set<Stage>();
  let total: Counts = { passed: 0, failed: 0 };
  for (const stage of stages) {
    console.log(`\n== ${stage.title}`);
    const counts = await runStage(stage, failedStages);
    if (counts.failed > 0) failedStages.add(stage);
    total = add(total, counts);
  }
  // Playwright names its failures at its end; those of unit tests are thousands of lines above.
  if (failedStages.has(UNIT)) console.log(['\nFailed unit tests:', ...lastUnitFailures()].join('\n  '));
  console.log(failedStages.size > 0 ? `\nFailed: ${[...failedStages].map(({ title }) => title).join(', ')}` : '');
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}

async function runStage(stage: Stage, failedStages: ReadonlySet<Stage>): Promise<Counts> {
  if (stage.needs && failedStages.has(stage.needs)) {
    console.log(`Not run: “${stage.needs.title}” failed`);
    return one(false);
  }
  try {
    return await stage.run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return one(false);
  }
}
