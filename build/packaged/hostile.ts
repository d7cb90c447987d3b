// Traps that others may set around the packaged app: none of them may run.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ENGINES } from '#shared/bench/engines.ts';
import type { EngineId } from '#shared/bench/engines.ts';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { AS_ROOT, orderProgram } from './run.ts';

/** Engines that are only compared with: their packages are missing in the packaged app, so Node looks for them elsewhere. */
const MISSING: Readonly<Record<string, string>> = Object.fromEntries(
  ENGINES.flatMap(({ id, files = [] }) => files.flatMap((file) => (file.way === 'packages' ? [[id, file.main]] : []))),
);

interface Cell {
  readonly engine: string;
  readonly status: string;
  readonly why: string | null;
  readonly engineIsMissing?: boolean;
}

/**
 * Plants packages in a folder above the app, in the home folder and in NODE_PATH, and code in Node's variables; then measures with
 * engines whose packages are missing.
 * @param above a folder that the app lies in
 * @throws when any of it ran, or the native engine did not
 */
export async function assertNothingPlantedRuns(
  app: { readonly program: string; readonly above: string },
  work: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const home = join(work, 'hostile');
  const ran = join(home, 'ran.txt');
  const above = join(app.above, 'node_modules');
  const plant = (file: string): void => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `require('fs').appendFileSync(${JSON.stringify(ran)}, ${JSON.stringify(`${file}\n`)});`);
  };
  try {
    for (const folder of [above, join(home, '.node_modules'), join(home, 'node-path')]) {
      for (const name of Object.values(MISSING)) plant(join(folder, name, 'index.js'));
      plant(join(folder, MISSING['turso']!, 'compat.js'));
      const exports = { '.': './index.js', './compat': './compat.js' };
      writeFileSync(
        join(folder, MISSING['turso']!, 'package.json'),
        JSON.stringify({ name: MISSING['turso'], exports }),
      );
    }
    plant(join(home, 'required.js'));
    const cells = await measure(app.program, home, {
      ...env,
      HOME: home,
      USERPROFILE: home,
      NODE_PATH: join(home, 'node-path'),
      NODE_OPTIONS: `--require=${join(home, 'required.js')}`,
      ELECTRON_RUN_AS_NODE: '1',
    });
    if (existsSync(ran)) throw new Error(`Planted code ran:\n${readFileSync(ran, 'utf8')}`);
    const said = (engine: string): Cell | undefined => cells.find((cell) => cell.engine === engine);
    const asWanted =
      said('native-balanced')?.status === 'ok' && Object.keys(MISSING).every((id) => said(id)?.engineIsMissing);
    if (!asWanted) throw new Error(`Engines answered otherwise than expected: ${JSON.stringify(cells)}`);
  } finally {
    rmSync(above, { recursive: true, force: true });
  }
}

async function measure(program: string, folder: string, env: NodeJS.ProcessEnv): Promise<readonly Cell[]> {
  const plan: BenchPlan = {
    suites: ['own-query'],
    engines: Object.keys(MISSING) as EngineId[],
    sizes: null,
    rounds: 1,
    profile: 'balanced',
    quick: true,
    seed: 1,
    tests: null,
  };
  const args = [`--user-data-dir=${join(folder, 'profile')}`, ...AS_ROOT];
  const order = { order: 'measure', plan, sql: 'SELECT 1', database: null, dropsCaches: false } as const;
  const { json } = await orderProgram(program, { args, order, reply: 'measured' }, { env });
  const { cells } = JSON.parse(json) as { cells: Cell[] };
  return cells.map(({ engine, status, why, engineIsMissing = false }) => ({ engine, status, why, engineIsMissing }));
}
