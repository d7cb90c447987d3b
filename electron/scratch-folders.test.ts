import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeScratchFolder, removeAbandonedScratch } from './scratch-folders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sidelite-sweep-'));
  vi.stubEnv(process.platform === 'win32' ? 'TEMP' : 'TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const problems: string[] = [];
const removeAbandoned = (): Promise<void> => removeAbandonedScratch((line) => problems.push(line));
/** Makes a folder with a file in it, and waits to be killed. */
const SCRIPT = `
  import { writeFileSync } from 'node:fs';
  import { makeScratchFolder } from ${JSON.stringify(join(import.meta.dirname, '..', 'worker', 'native', 'scratch-folders.ts'))};
  const folder = makeScratchFolder();
  writeFileSync(folder + '/rows', 'secret');
  console.log(folder);
  setInterval(() => undefined, 1000);`;

it('removes the folders of a killed process, with what is in them, and never those of a running one', async () => {
  const owner = spawn(process.execPath, ['--input-type=module', '-e', SCRIPT], {
    cwd: join(import.meta.dirname, '..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(owner.stdout, 'data');
  const own = makeScratchFolder();
  expect(readdirSync(folder)).toHaveLength(2);
  await removeAbandoned();
  expect(readdirSync(folder)).toHaveLength(2);
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await removeAbandoned();
  expect(readdirSync(folder)).toEqual([own.slice(folder.length + 1)]);
  expect(problems).toEqual([]);
});

it.runIf(process.platform === 'linux')('takes neither links nor what has another name', async () => {
  const [, prefix] = /^(.*-)\d+-\d*-[^-]+$/.exec(makeScratchFolder().slice(folder.length + 1))!;
  const elsewhere = join(folder, 'elsewhere');
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, 'kept'), '');
  // No process has such a number.
  symlinkSync(elsewhere, join(folder, `${prefix}99999999-1-abcdef`));
  const before = readdirSync(folder);
  await removeAbandoned();
  expect(readdirSync(folder)).toEqual(before);
  expect(readdirSync(elsewhere)).toEqual(['kept']);
});
