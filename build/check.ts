// `npm run check`: what can be said about the code without running it.
import { exitCodeOf } from './beside-stages.ts';
import { add, one, type Counts } from './counts.ts';
import { withoutHeadline } from './files.ts';
import { layerViolationsHere } from './layers.ts';
import { command, runTool, type Tool } from './tool.ts';
import { uncalledHere } from './uncalled.ts';

/** Each returns its problems, a sentence each. */
const OWN_CHECKS: readonly { readonly title: string; readonly run: () => readonly string[] }[] = [
  { title: 'Layers', run: layerViolationsHere },
  { title: 'Operations nobody calls', run: uncalledHere },
  { title: 'Files without a first comment', run: withoutHeadline },
];

const CHECKS: readonly { readonly title: string; readonly tool: Tool; readonly args: readonly string[] }[] = [
  { title: 'Types and folder rules', tool: 'tsc', args: ['--build'] },
  { title: 'Lint', tool: 'oxlint', args: ['--format=unix'] },
  { title: 'Format (npm run format repairs it)', tool: 'oxfmt', args: ['--check'] },
  { title: 'Dead code', tool: 'knip', args: [] },
];

async function runChecks(): Promise<Counts> {
  let counts: Counts = { passed: 0, failed: 0 };
  const check = async (title: string, run: () => boolean | Promise<boolean>): Promise<void> => {
    const started = performance.now();
    const ok = await run();
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    counts = add(counts, one(ok));
  };
  for (const { title, run } of OWN_CHECKS)
    await check(title, () => {
      const violations = run();
      for (const violation of violations) console.log(violation);
      return violations.length === 0;
    });
  for (const { title, tool, args } of CHECKS) await check(title, async () => (await runTool(tool, args)) === 0);
  return counts;
}

await command(import.meta, async () => exitCodeOf(await runChecks()));
