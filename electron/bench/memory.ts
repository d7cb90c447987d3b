// Memory used by the processes of the app: the measuring window, the engines, and all others.
import { readFileSync } from 'node:fs';
import { app, BrowserWindow } from 'electron';
import type { BenchMemory } from '#shared/bench/shell.ts';
import { HOST_PAGE } from '../app-scheme/resolve-path.ts';
import type { AppWindow } from '../windows/registry.ts';

type Read = (pid: number) => number | null;

const KIB = 1024;

/** Private memory if the system reports it for each process, because only figures of the same kind are comparable. */
export function readMemory(window: AppWindow, nativePid: number | null): BenchMemory | null {
  const windowPid = window.browserWindow.webContents.getOSProcessId();
  const hostPid = BrowserWindow.getAllWindows()
    .find(({ webContents }) => webContents.getURL() === HOST_PAGE)
    ?.webContents.getOSProcessId();
  const metrics = app.getAppMetrics();
  if (hostPid === undefined || hostPid === windowPid) return null;
  const named = [windowPid, hostPid, ...(nativePid === null ? [] : [nativePid])];
  const others = metrics.map(({ pid }) => pid).filter((pid) => !named.includes(pid));
  const all = (counts: BenchMemory['counts'], read: Read): BenchMemory | null => {
    const bytes = new Map([...named, ...others].map((pid) => [pid, read(pid)]));
    // A process that has just ended counts as zero; if a required process is missing, there is no result.
    if (named.some((pid) => bytes.get(pid) === null)) return null;
    return {
      counts,
      window: bytes.get(windowPid)!,
      wasm: bytes.get(hostPid)!,
      native: nativePid === null ? null : bytes.get(nativePid)!,
      others: others.reduce((sum, pid) => sum + (bytes.get(pid) ?? 0), 0),
    };
  };
  const metricOf = (pid: number): Electron.MemoryInfo | undefined => metrics.find((each) => each.pid === pid)?.memory;
  return (
    all('private', process.platform === 'linux' ? linuxPrivate : (pid) => inBytes(metricOf(pid)?.privateBytes)) ??
    all('resident', (pid) => inBytes(metricOf(pid)?.workingSetSize) ?? linuxResident(pid))
  );
}

const inBytes = (kib: number | undefined): number | null => (kib === undefined || kib === 0 ? null : kib * KIB);

/** For a sandboxed page only root can read it. */
function linuxPrivate(pid: number): number | null {
  return sumOf(pid, 'smaps_rollup', /^Private_(?:Clean|Dirty|Hugetlb):\s+(\d+) kB/gm);
}

/** Node's child processes are not in Electron's list. */
function linuxResident(pid: number): number | null {
  return sumOf(pid, 'status', /^VmRSS:\s+(\d+) kB/gm);
}

function sumOf(pid: number, file: string, lines: RegExp): number | null {
  try {
    const found = [...readFileSync(`/proc/${pid}/${file}`, 'utf8').matchAll(lines)];
    return inBytes(found.reduce((sum, [, kib]) => sum + Number(kib), 0));
  } catch {
    return null;
  }
}
