// The stages of `npm test` and `npm run test:long`: some one after another, others beside them, counted together. At the end what failed is
// repeated and judged.
import { chmodSync, mkdtempSync, readdirSync, rmSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, basename } from 'node:path';
import { BesideStages, type SideStage } from './beside-stages.ts';
import { add, NOTHING, one, slowestTests, type Counts, type Outcome, nameOf } from './counts.ts';
import type { FailedTest } from './counts.ts';
import { runEndToEndTests } from './e2e.ts';
import { COMPILED_BY_NODE, inRoot, reportPath } from './paths.ts';
import { startStress } from './stress.ts';
import { runUnitTests } from './unit.ts';

/** Shows at once what it prints. */
interface Stage {
  readonly title: string;
  run(): Promise<Counts | Outcome>;
  /** Must succeed first: otherwise this stage would only repeat its failure. */
  readonly needs?: SideStage;
}

interface Plan {
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

// The temporary folder of a whole run: whatever is left in it at the end was forgotten by a test or by the app.

/** The packaged app is tried as another user, too: like the system's own folder, for all, each of whom removes only what is theirs. */
const FOR_ALL = 0o1777;
const SHOWN = 20;
/** Caches that tools would have in the temporary folder: of Node, and of what electron-builder reads its configuration with. */
const CACHES = { NODE_COMPILE_CACHE: COMPILED_BY_NODE, JITI_FS_CACHE: 'false' };

/** The driver of the stories removes its own a moment after its app has ended, unless it ends itself before that. */
const OF_DRIVER = /^playwright-artifacts-/;
/** A file of unit tests all of which are skipped has no end at which its folder would be removed (`own-temporary-folder.ts`). */
const OF_SKIPPED_TESTS = /^u-/;

interface TemporaryFolder {
  /** Names what is left. @returns whether nothing is */
  check(): boolean;
  remove(): void;
}

/** From now on it is that of this process, and of those that it starts. */
function openTemporaryFolder(): TemporaryFolder {
  // Short, because programs have sockets in it, whose paths are limited to some hundred bytes.
  const folder = mkdtempSync(join(tmpdir(), 'sl-'));
  chmodSync(folder, FOR_ALL);
  Object.assign(process.env, { TMPDIR: folder, TEMP: folder, TMP: folder });
  Object.assign(process.env, CACHES);
  return {
    check() {
      const isEmpty = (name: string): boolean => readdirSync(join(folder, name)).length === 0;
      const left = readdirSync(folder).filter(
        (name) => !OF_DRIVER.test(name) && !(OF_SKIPPED_TESTS.test(name) && isEmpty(name)),
      );
      console.log(`\n== Temporary files\n${left.length === 0 ? 'ok     none are left' : leftLines(left)}`);
      return left.length === 0;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function leftLines(left: readonly string[]): string {
  const more = left.length > SHOWN ? [`and ${left.length - SHOWN} more`] : [];
  return ['These are left:', ...left.slice(0, SHOWN), ...more].join('\n  ');
}

// Runs a test that failed again, alone, and keeps what it left when it turns out to be intermittent.

const REPORT = 'repeated.json';
const INTERMITTENT = join('test-results', 'intermittent');
/** Not the folder of the run, which has the evidence: Playwright empties its folder when it begins. */
const REPEATED = join('test-results', 'repeated');
const LONGEST_NAME = 100;

/** Returns how often it passed of {@link TIMES}; the first failure ends it. */
async function repeatTest(test: FailedTest, load: Load): Promise<number> {
  console.log(`\n-- Again, ${TIMES} times, on a ${load} machine: ${nameOf(test)}`);
  if (test.runner === 'e2e') return await repeatStory(test, load);
  const stopStress = load === 'busy' ? startStress() : null;
  try {
    return await repeatUnitTest(test);
  } finally {
    stopStress?.();
  }
}

async function repeatUnitTest({ file, titles }: FailedTest): Promise<number> {
  const title = `^${literal(titles.join(' > '))}$`;
  for (let passed = 0; passed < TIMES; passed++) {
    const outcome = await runUnitTests([file, '--testNamePattern', title, '--maxWorkers=1'], REPORT);
    if (outcome.failed > 0 || outcome.passed !== 1) return passed;
  }
  return TIMES;
}

async function repeatStory({ file, titles, project }: FailedTest, load: Load): Promise<number> {
  const list = reportPath('repeated.txt');
  writeFileSync(list, `[${project}] › ${[file, ...titles].join(' › ')}\n`);
  const options = ['--test-list', list, '--repeat-each', String(TIMES), '-x', '--workers=1', '--output', REPEATED];
  const outcome = await runEndToEndTests([...options, ...(load === 'busy' ? ['--stress'] : [])], REPORT);
  return outcome.failed > 0 ? Math.min(outcome.passed, TIMES - 1) : outcome.passed;
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Moves what the test left to a folder with its name, beside what it said. Returns the folder, from the root of the repository. */
function keepEvidence(test: FailedTest): string {
  const name = nameOf(test)
    .replaceAll(/[^\w.]+/g, '-')
    .slice(0, LONGEST_NAME);
  const folder = join(INTERMITTENT, name);
  mkdirSync(inRoot(folder), { recursive: true });
  writeFileSync(inRoot(folder, 'failure.txt'), `${nameOf(test)}\n\n${test.message}\n`);
  for (const left of test.evidence) if (existsSync(left)) renameSync(left, inRoot(folder, basename(left)));
  return folder;
}

/** What an earlier run has kept must not be taken for this one's. */
function forgetEvidence(): void {
  for (const folder of [INTERMITTENT, REPEATED]) rmSync(inRoot(folder), { recursive: true, force: true });
}

// Judges tests that failed: one that passes each time when it is repeated alone is intermittent. It is reported and its evidence kept, so that
// somebody finds its cause, but the run has not failed because of it.

/** How often a test is repeated on a quiet machine, and how often on a busy one. */
const TIMES = 5;
/** More failures than these have one cause, which is no accident. */
const MOST = 2;

export type Load = 'quiet' | 'busy';
const LOADS: readonly Load[] = ['quiet', 'busy'];

/** Runs the test alone up to {@link TIMES} times, until it fails. Returns how often it passed. */
export type Repeat = (test: FailedTest, load: Load) => Promise<number>;

interface Verdict extends Counts {
  readonly intermittent: readonly FailedTest[];
  /** A line for each test that failed again, or the reason why none was repeated. */
  readonly why: readonly string[];
}

export async function judge({ passed, failed, failedTests }: Outcome, repeat: Repeat): Promise<Verdict> {
  const asItIs = { passed, failed, intermittent: [] };
  if (failedTests.length === 0) return { ...asItIs, why: [] };
  const others = failed - failedTests.length;
  if (others > 0) return { ...asItIs, why: ['Not repeated: more than single tests failed'] };
  if (failed > MOST) return { ...asItIs, why: [`Not repeated: more than ${MOST} tests failed`] };
  const why: string[] = [];
  for (const load of LOADS)
    for (const test of failedTests) {
      if (why.length > 0) break;
      const times = await repeat(test, load).catch((error: unknown) => String(error));
      if (times !== TIMES) why.push(`Failed again (${load}, after ${times} of ${TIMES}): ${nameOf(test)}`);
    }
  if (why.length > 0) return { ...asItIs, why };
  return { passed: passed + failed, failed: 0, intermittent: failedTests, why };
}

export function intermittentLine(test: FailedTest): string {
  const times = LOADS.length * TIMES;
  return `Intermittent (${times} of ${times} when repeated): ${nameOf(test)}`;
}
