// The stages of `npm test` and `npm run test:long`: some one after another, others beside them, counted together. At the end what failed is
// repeated and judged.
import { BesideStages, type SideStage } from './beside-stages.ts';
import { add, NOTHING, one, slowestTests, type Counts, type Outcome } from './counts.ts';
import { intermittentLine, judge } from './intermittent.ts';
import { forgetEvidence, keepEvidence, repeatTest } from './repeat.ts';
import { openTemporaryFolder } from './temporary-folder.ts';
import { runUnitTests } from './unit.ts';

/** Shows at once what it prints. */
export interface Stage {
  readonly title: string;
  run(): Promise<Counts | Outcome>;
  /** Must succeed first: otherwise this stage would only repeat its failure. */
  readonly needs?: SideStage;
}

export interface Plan {
  readonly stages: readonly Stage[];
  readonly beside: readonly SideStage[];
}

interface Ended extends Outcome {
  readonly title: string;
  readonly minutes: number;
}

export const BUNDLE: SideStage = { title: 'Bundle', script: 'bundle.ts' };
export const UNIT: Stage = {
  title: 'Unit tests and engine contract',
  async run() {
    const outcome = await runUnitTests([]);
    // Playwright names its failures at its end; those of unit tests are thousands of lines above.
    if (outcome.failures.length > 0) console.log(['\nFailed unit tests:', ...outcome.failures].join('\n  '));
    return outcome;
  },
};
const SLOWEST = 10;

/** Returns the exit code. The last line counts everything. */
export async function runPlan(plan: Plan): Promise<number> {
  const started = performance.now();
  const temporary = openTemporaryFolder();
  try {
    forgetEvidence();
    const ended = await runStages(plan);
    const failedTests = ended.flatMap((stage) => stage.failedTests);
    const leavesNothing = temporary.check();
    const counts = ended.reduce<Counts>(add, one(leavesNothing));
    console.log(
      list(
        'Slowest tests',
        slowestTests(
          ended.flatMap(({ timed }) => timed),
          SLOWEST,
        ),
      ),
    );
    const failed = ended.filter((stage) => stage.failed > 0).map(({ title }) => title);
    if (!leavesNothing) failed.push('Temporary files');
    if (failed.length > 0) console.log(list('Failed', failed));
    const verdict = await judge({ ...NOTHING, ...counts, failedTests }, repeatTest);
    console.log(list('Minutes', [...ended, { title: 'all', minutes: minutesSince(started) }].map(minutesLine)));
    console.log(['', ...verdict.why].join('\n'));
    for (const test of verdict.intermittent) console.log(`${intermittentLine(test)}\n  kept in ${keepEvidence(test)}`);
    console.log(`${verdict.passed} passed, ${verdict.failed} failed`);
    return verdict.failed > 0 ? 1 : 0;
  } finally {
    temporary.remove();
  }
}

async function runStages({ stages, beside }: Plan): Promise<Ended[]> {
  const sides = new BesideStages(beside);
  const ended: Ended[] = [];
  for (const stage of stages) {
    const began = performance.now();
    const isPossible = stage.needs === undefined || (await sides.succeeded(stage.needs));
    sides.show();
    console.log(`\n== ${stage.title}`);
    const outcome = isPossible ? await outcomeOf(stage) : notRun(stage.needs!);
    ended.push({ ...NOTHING, ...outcome, title: stage.title, minutes: minutesSince(began) });
  }
  const others = await sides.ended();
  sides.show();
  return [...ended, ...others.map((side) => ({ ...NOTHING, ...side }))];
}

async function outcomeOf(stage: Stage): Promise<Counts> {
  try {
    return await stage.run();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return one(false);
  }
}

function notRun({ title }: SideStage): Counts {
  console.log(`Not run: “${title}” failed`);
  return one(false);
}

const list = (title: string, lines: readonly string[]): string => [`\n${title}:`, ...lines].join('\n  ');
const minutesSince = (started: number): number => (performance.now() - started) / 60_000;
const minutesLine = ({ title, minutes }: Pick<Ended, 'title' | 'minutes'>): string =>
  `${minutes.toFixed(1).padStart(5)}  ${title}`;
