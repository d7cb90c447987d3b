// The processes of native engines, as main knows them.
import { expect } from '@playwright/test';
import type { SideliteApp } from '../sidelite-app.ts';

/** How main names each as a utility process, and which script it runs as a child, as those of benchmarks may be. */
const PROCESSES = {
  native: { name: 'Sidelite native engine', script: 'native.mjs' },
  remote: { name: 'Sidelite remote engine', script: 'remote.mjs' },
  bench: { name: 'Sidelite bench process', script: 'bench-process.mjs' },
} as const;

type Which = keyof typeof PROCESSES;

/** Node's handle of a child: its list of handles is the only list of children. */
interface Handle {
  readonly pid?: number;
  readonly spawnargs?: readonly string[];
  readonly exitCode?: number | null;
  readonly signalCode?: string | null;
}

/** Null while there is none. */
export async function enginePid(app: SideliteApp, which: Which = 'native'): Promise<number | null> {
  return (await enginePids(app, which))[0] ?? null;
}

/** All of them, those of files with a process of their own too; the order says nothing. */
export function enginePids(app: SideliteApp, which: Which = 'native'): Promise<readonly number[]> {
  return app.electron.evaluate(({ app: electronApp }, { name, script }) => {
    const utilities = electronApp.getAppMetrics().filter((metric) => metric.name === name);
    if (utilities.length > 0) return utilities.map(({ pid }) => pid);
    const handles = (process as unknown as { _getActiveHandles(): readonly Handle[] })._getActiveHandles();
    const children = handles.filter(
      ({ spawnargs, exitCode, signalCode }) =>
        exitCode === null && signalCode === null && spawnargs?.some((arg) => arg.endsWith(script)),
    );
    return children.flatMap(({ pid }) => pid ?? []);
  }, PROCESSES[which]);
}

/** Ends it as a crash would. Returns which it was. */
export async function killEngine(app: SideliteApp, which: Which = 'native'): Promise<number> {
  const pid = await enginePid(app, which);
  kill(pid);
  return pid;
}

/** Resolves when another one than `former` runs. */
export async function engineStarted(app: SideliteApp, former: number | null = null): Promise<void> {
  await expect
    .poll(async () => {
      const pid = await enginePid(app);
      return pid !== null && pid !== former;
    })
    .toBe(true);
}

/** 0 and negative numbers mean process groups: this test run would end itself. @throws for these and for none */
export function kill(pid: number | null): asserts pid is number {
  if (pid === null || !Number.isInteger(pid) || pid <= 1) throw new Error(`There is no engine to end: process ${pid}`);
  process.kill(pid, 'SIGKILL');
}
