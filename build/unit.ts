// `npm run unit [-- FILTER …] [-- --watch]`: unit tests and the engine contract, once or again after every change.
import { existsSync, readFileSync } from 'node:fs';
import { NOTHING, withExitCode, type Outcome } from './counts.ts';
import { COMPILED_BY_NODE, freshReport, inRoot } from './paths.ts';
import { command, runTool } from './tool.ts';
import { REPORT_VARIABLE, type UnitReport } from './unit-reporter.ts';

export async function runUnitTests(args: readonly string[], reportName = 'unit.json'): Promise<UnitReport> {
  const report = freshReport(reportName);
  const reporters = ['--reporter=default', `--reporter=${inRoot('build/unit-reporter.ts')}`];
  const exitCode = await runTool('vitest', ['run', ...reporters, ...args], {
    [REPORT_VARIABLE]: report,
    NODE_COMPILE_CACHE: COMPILED_BY_NODE,
  });
  return unitOutcome(report, exitCode);
}

export function unitOutcome(reportFile: string, exitCode: number): UnitReport {
  if (!existsSync(reportFile)) return { ...NOTHING, failed: 1, failures: ['The runner wrote no report'] };
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as UnitReport;
  return { ...report, ...(withExitCode(report, exitCode) satisfies Outcome) };
}

await command(import.meta, async (args) => {
  // Whoever names such a file wants it to run.
  if (args.some((arg) => arg.includes('.long.'))) process.env['SIDELITE_LONG'] = '1';
  // Runs until it is ended, so there is no report to count.
  if (args.includes('--watch')) return runTool('vitest', args);
  return (await runUnitTests(args)).failed > 0 ? 1 : 0;
});
