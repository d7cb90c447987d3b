// A process that changes the key of a file, and may be killed at any of its steps: a change of the file system, or a pause.
import fs from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { DatabaseConstructor } from '../runtime/load.ts';
import { givenKey } from './given-key.test-suite.ts';

/** What the process is told, as its only argument. */
export interface Order {
  readonly path: string;
  /** Passwords. Null: not encrypted. */
  readonly from: GivenPassword | null;
  readonly to: GivenPassword | null;
  readonly folder: string;
  /** It is killed before this step. Null: it says at the end how many there were. */
  readonly killAt: number | null;
  /** The disk has no hard links. */
  readonly withoutLinks: boolean;
}

export interface GivenPassword {
  readonly secret: string;
  readonly cipher: 'sqlcipher4' | 'chacha20';
}

/** Few rounds, because nobody guesses them here. */
export const ITERATIONS = 1000;

export const passwordOf = (given: GivenPassword | null) =>
  given === null ? null : givenKey(given.secret, { cipher: given.cipher, kdfIterations: ITERATIONS });

const STEPS = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'closeSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'chmodSync',
  'chownSync',
] as const;

let steps = 0;

function step(killAt: number | null): void {
  if (steps++ === killAt) process.kill(process.pid, 'SIGKILL');
}

function countSteps({ killAt, withoutLinks }: Order): void {
  const calls = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const name of STEPS) {
    const real = calls[name]!;
    calls[name] = (...args) => {
      step(killAt);
      if (withoutLinks && name === 'linkSync') throw Object.assign(new Error('no links'), { code: 'EPERM' });
      return real(...args);
    };
  }
  syncBuiltinESMExports();
}

async function run(order: Order): Promise<void> {
  const { changeKey } = await import('./change-key.ts');
  const constructor = createRequire(import.meta.url)('better-sqlite3-multiple-ciphers') as DatabaseConstructor;
  new constructor(':memory:', {}).close();
  process.stdout.write('begun\n');
  countSteps(order);
  const { path, folder } = order;
  const began = performance.now();
  for (const _ of changeKey(constructor, { path, from: passwordOf(order.from), to: passwordOf(order.to), folder }))
    step(order.killAt);
  process.stdout.write(`${JSON.stringify({ steps, ms: performance.now() - began })}\n`);
}

const [, script, given] = process.argv;
if (script === import.meta.filename && given !== undefined) await run(JSON.parse(given) as Order);
