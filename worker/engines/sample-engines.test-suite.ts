// For tests that run over several engines or disks: in `npm test` each runs with one of them, in the long tests with all.
import { beforeEach } from 'vitest';
import { LONG, sampledVariant } from '#shared/seed-count.test-suite.ts';

/**
 * Chooses the engine for each test of the file that calls this, or imports what calls it, by the rest of the test's name. What all engines must
 * do alike is in their contract, which always runs with each of them.
 *
 * @param names those of the engines, which are part of the names of tests; a test whose name has none of them runs
 */
export function sampleEngines(names: readonly string[]): void {
  if (LONG) return;
  beforeEach(({ task, skip }) => {
    const words = [task.name];
    for (let suite = task.suite; suite; suite = suite.suite) words.unshift(suite.name);
    const name = words.join(' ');
    const engine = names.findIndex((each) => name.includes(each));
    if (engine >= 0) skip(sampledVariant(name.replaceAll(names[engine]!, ''), names.length) !== engine);
  });
}
