// `npm run check`: what can be said about the code without running it.
import { add, one, type Counts } from './counts.ts';
import { checkLayers } from './layers.ts';
import { command, runTool, type Tool } from './tool.ts';

const CHECKS: readonly { readonly title: string; readonly tool: Tool; readonly args: readonly string[] }[] = [
  { title: 'Types and folder rules', tool: 'tsc', args: ['--build'] },
  { title: 'Lint', tool: 'oxlint', args: ['--format=unix'] },
  { title: 'Format (npm run format repairs it)', tool: 'oxfmt', args: ['--check'] },
  { title: 'Dead code', tool: 'knip', args: [] },
];

export async function runChecks(): Promise<Counts> {
  let counts: Counts = checkLayers();
  for (const { title, tool, args } of CHECKS) {
    const started = performance.now();
    const ok = (await runTool(tool, args)) === 0;
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${title} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    counts = add(counts, one(ok));
  }
  return counts;
}

await command(import.meta, async () => ((await runChecks()).failed > 0 ? 1 : 0));
