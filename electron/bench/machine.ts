// The facts about the machine in a benchmark result: processor, memory, disk, power, and the build of the app.
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { app, powerMonitor } from 'electron';
import type { BenchMachine } from '#shared/bench/shell.ts';

const run = promisify(execFile);

export async function describeMachine(): Promise<BenchMachine> {
  const processors = cpus();
  return {
    appVersion: app.getVersion(),
    electron: process.versions.electron,
    v8: process.versions.v8,
    os: `${type()} ${release()} ${arch()}`,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    ramBytes: totalmem(),
    ...(await describeDisk(app.getPath('userData'))),
    onBattery: isOnBattery(),
    commit: readCommit(app.getAppPath()),
  };
}

function isOnBattery(): boolean | null {
  // Linux without a readable power supply also reports “no”.
  if (process.platform === 'linux' && !existsSync('/sys/class/power_supply/BAT0')) return null;
  return powerMonitor.isOnBatteryPower();
}

/** Uses `df`, which every system except Windows has; Node 16 has no `statfs`. */
async function describeDisk(path: string): Promise<Pick<BenchMachine, 'disk' | 'diskFreeBytes'>> {
  try {
    const withType = process.platform === 'linux' ? ['-T'] : [];
    const { stdout } = await run('df', ['-k', '-P', ...withType, path]);
    const fields = stdout.trim().split('\n').at(-1)!.split(/\s+/);
    const free = Number(fields[withType.length > 0 ? 4 : 3]) * 1024;
    const disk = withType.length > 0 ? `${fields[1]} on ${fields[0]}${spinning(fields[0]!)}` : fields[0]!;
    return { disk, diskFreeBytes: Number.isFinite(free) ? free : null };
  } catch {
    return { disk: null, diskFreeBytes: null };
  }
}

function spinning(device: string): string {
  const name = device.replace(/^\/dev\//, '').replace(/p?\d{1,6}$/, '');
  const file = `/sys/block/${name}/queue/rotational`;
  if (!existsSync(file)) return '';
  return readFileSync(file, 'utf8').trim() === '1' ? ', rotating' : ', solid state';
}

/** Null in an installed app. */
function readCommit(folder: string): string | null {
  try {
    const git = join(folder, '.git');
    const head = readFileSync(join(git, 'HEAD'), 'utf8').trim();
    if (!head.startsWith('ref: ')) return head;
    const name = head.slice('ref: '.length);
    if (existsSync(join(git, name))) return readFileSync(join(git, name), 'utf8').trim();
    const packed = readFileSync(join(git, 'packed-refs'), 'utf8').split('\n');
    return packed.find((line) => line.endsWith(` ${name}`))?.split(' ', 1)[0] ?? null;
  } catch {
    return null;
  }
}
