// `npm run unit [-- FILTER …] [-- --watch]`: unit tests and the engine contract, once or again after every change.
import { unitCounts, unitFailures, type Counts } from './counts.ts';
import { freshReport, inRoot, reportPath } from './paths.ts';
import { command, runTool } from './tool.ts';
import { REPORT_VARIABLE } from './unit-reporter.ts';

const REPORT = 'unit.json';

export async function runUnitTests(args: readonly string[]): Promise<Counts> {
  const report = freshReport(REPORT);
  const reporters = ['--reporter=default', `--reporter=${inRoot('build/unit-reporter.ts')}`];
  const exitCode = await runTool('vitest', ['run', ...reporters, ...args], { [REPORT_VARIABLE]: report });
  return unitCounts(report, exitCode);
}

/** A line for each failure of the last run. */
export const lastUnitFailures = (): readonly string[] => unitFailures(reportPath(REPORT));

await command(import.meta, async (args) => {
  // Whoever names such a file wants it to run.
  if (args.some((arg) => arg.includes('.long.'))) process.env['SIDELITE_LONG'] = '1';
  // Runs until it is ended, so there is no report to count.
  if (args.includes('--watch')) return runTool('vitest', args);
  return (await runUnitTests(args)).failed > 0 ? 1 : 0;
});
