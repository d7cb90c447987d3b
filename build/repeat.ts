// Runs a test that failed again, alone, and keeps what it left when it turns out to be intermittent.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { nameOf, type FailedTest } from './counts.ts';
import { runEndToEndTests } from './e2e.ts';
import { TIMES, type Load } from './intermittent.ts';
import { inRoot, reportPath } from './paths.ts';
import { startStress } from './stress.ts';
import { runUnitTests } from './unit.ts';

const REPORT = 'repeated.json';
const INTERMITTENT = join('test-results', 'intermittent');
/** Not the folder of the run, which has the evidence: Playwright empties its folder when it begins. */
const REPEATED = join('test-results', 'repeated');
const LONGEST_NAME = 100;

/** Returns how often it passed of {@link TIMES}; the first failure ends it. */
export async function repeatTest(test: FailedTest, load: Load): Promise<number> {
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
export function keepEvidence(test: FailedTest): string {
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
export function forgetEvidence(): void {
  for (const folder of [INTERMITTENT, REPEATED]) rmSync(inRoot(folder), { recursive: true, force: true });
}
