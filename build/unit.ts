// `npm run unit [-- FILTER …] [-- --watch]`: unit tests and the engine contract, once or again after every change.
import { vitestCounts, type Counts } from './counts.ts';
import { freshReport } from './paths.ts';
import { command, runTool } from './tool.ts';

export async function runUnitTests(args: readonly string[]): Promise<Counts> {
  const report = freshReport('unit.json');
  const exitCode = await runTool('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]);
  return vitestCounts(report, exitCode);
}

await command(import.meta, async (args) => {
  // Runs until it is ended, so there is no report to count.
  if (args.includes('--watch')) return runTool('vitest', args);
  return (await runUnitTests(args)).failed > 0 ? 1 : 0;
});
