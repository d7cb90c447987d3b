// A file beside the archive that is not as packaged: nothing of the engines runs, and the app says why.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPlan } from '#shared/bench/shell.ts';
import { ENGINE_PACKAGES } from '../engine-packages.ts';
import { AS_ROOT, orderProgram, runProgram } from './run.ts';

const ADDONS = ENGINE_PACKAGES.map((name) => `node_modules/${name}/prebuilds/${process.platform}-${process.arch}.node`);
/** macOS itself checks the addons. */
const FILES = ['command.mjs', 'native.mjs', ...(process.platform === 'darwin' ? [] : ADDONS)];

const PLAN: BenchPlan = {
  suites: ['own-query'],
  engines: ['native-balanced'],
  sizes: null,
  rounds: 1,
  profile: 'balanced',
  quick: true,
  seed: 1,
  tests: null,
};

interface Installation {
  readonly program: string;
  readonly resources: string;
}

/**
 * Adds one byte to a file at a time, which the file would work with just as well, and puts it back.
 * @throws when a command or an engine ran nevertheless, or no reason was given
 */
export async function assertNothingChangedRuns(
  { program, resources }: Installation,
  profile: string,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const args = [`--user-data-dir=${profile}`, ...AS_ROOT];
  for (const name of FILES) {
    const file = join(resources, 'native', name);
    const content = readFileSync(file);
    try {
      writeFileSync(file, Buffer.concat([content, Buffer.from('\n')]));
      const said = await runProgram(program, [...args, '--version']).catch(String);
      assertRefused(said, file);
      const order = { order: 'measure', plan: PLAN, sql: 'SELECT 1', database: null, dropsCaches: false } as const;
      const measured = await orderProgram(program, { args, order, reply: 'measured' }, { env }).then(
        ({ json }) => json,
        String,
      );
      assertRefused(measured, file);
    } finally {
      writeFileSync(file, content);
    }
  }
}

function assertRefused(said: string, file: string): void {
  if (!said.includes(`The file “${file}” is not the one that Sidelite was installed with`))
    throw new Error(`With ${file} changed it said:\n${said}`);
}
