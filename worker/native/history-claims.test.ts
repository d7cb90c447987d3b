// Uses a second process: who keeps the history of a file, and who goes without or waits.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CommitJournal } from '../sessions/journal.ts';
import { claimantOf, HistoryClaims } from './history-claims.ts';

const FILE = 'file:0123';
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sidelite-claims-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const claims = (): readonly string[] => readdirSync(join(folder, 'in-use'));
const journal = (): CommitJournal => ({ close: () => undefined }) as unknown as CommitJournal;

/** Another process that has claimed the file; its number. */
async function claimedBy(role: 'app' | 'command'): Promise<{ readonly pid: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [claimScript(role)], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return {
    pid: child.pid!,
    async kill() {
      child.kill('SIGKILL');
      await new Promise((resolve) => child.once('exit', resolve));
    },
  };
}

const ROOT = join(import.meta.dirname, '..', '..');

function claimScript(role: 'app' | 'command'): string {
  const script = join(folder, 'claim.mjs');
  const module = JSON.stringify(join(import.meta.dirname, 'history-claims.ts'));
  writeFileSync(
    script,
    `import { HistoryClaims } from ${module};
     new HistoryClaims(${JSON.stringify(folder)}, '${role}').journal('${FILE}', () => ({ close() {} }));
     console.log(process.pid); setInterval(() => undefined, 1000);`,
  );
  return script;
}

it('a history is kept by one process, until it is closed', () => {
  const history = new HistoryClaims(folder, 'app').journal(FILE, journal);
  expect(claims()).toEqual(['file+0123']);
  history!.close();
  expect(claims()).toEqual([]);
});

it('a command does without a history that the app keeps', async () => {
  const app = await claimedBy('app');
  expect(new HistoryClaims(folder, 'command').journal(FILE, journal)).toBeNull();
  expect(new HistoryClaims(folder, 'command').journal('file:other', journal)).not.toBeNull();
  await app.kill();
});

it.each(['app', 'command'] as const)(
  'while a command keeps one, %s waits; after its end, killed or not, it is free',
  async (role) => {
    const command = await claimedBy('command');
    let thrown: unknown = null;
    try {
      new HistoryClaims(folder, role).journal(FILE, journal);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code: 'locked' });
    expect(claimantOf(thrown)).toBe(`a command of Sidelite (process ${command.pid})`);
    await command.kill();
    expect(new HistoryClaims(folder, role).journal(FILE, journal)).not.toBeNull();
  },
);

it.runIf(process.platform === 'linux')('a killed process that nobody has waited for keeps no history', async () => {
  // The shell becomes a process that never waits for its children.
  const command = '"$0" "$1" & exec sleep 600';
  const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
  const parent = spawn('sh', ['-c', command, process.execPath, claimScript('app')], options);
  const pid = Number(await new Promise((resolve) => parent.stdout.once('data', resolve)));
  expect(new HistoryClaims(folder, 'app').journal(FILE, journal)).toBeNull();
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toContain(') Z ');
  expect(new HistoryClaims(folder, 'app').journal(FILE, journal)).not.toBeNull();
  parent.kill();
});

it('a history that cannot be opened leaves no claim', () => {
  const broken = (): CommitJournal => {
    throw new Error('full');
  };
  expect(() => new HistoryClaims(folder, 'app').journal(FILE, broken)).toThrow('full');
  expect(existsSync(join(folder, 'in-use', 'file+0123'))).toBe(false);
});
