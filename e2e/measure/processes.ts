// The processor time that an app has used, of all its processes and by what each is for, and their memory. From /proc, so on Linux only.
import { readdirSync, readFileSync } from 'node:fs';

type Part = 'main' | 'GPU' | 'window' | 'host' | 'services' | 'others';

/** Times in ms. */
export type ProcessorTime = Readonly<Record<Part, number>>;

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;
const PAUSE_MS = 400;
/** Limit for an app at rest in that time. */
const RESTING_MS = 20;

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Includes children that have ended. */
  readonly ms: number;
}

export const totalOf = (time: ProcessorTime): number => Object.values(time).reduce((sum, part) => sum + part, 0);

/** Processor time of the process `main` and of all its descendants. */
export function processorTime(main: number): ProcessorTime {
  const time = { main: 0, GPU: 0, window: 0, host: 0, services: 0, others: 0 };
  const isWindow = windowAmong(main);
  for (const { pid, ms } of treeOf(main)) time[partOf(pid, main, isWindow)] += ms;
  return time;
}

/** Resolves when the app no longer does anything. */
export async function rest(main: number): Promise<void> {
  for (let before = -Infinity; ;) {
    const now = totalOf(processorTime(main));
    if (now - before <= RESTING_MS) return;
    before = now;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** The window is opened before the hidden page of the host, so its renderer has the lower number. */
function windowAmong(main: number): (pid: number) => boolean {
  const renderers = treeOf(main)
    .map(({ pid }) => ({ pid, id: Number(/--renderer-client-id=(\d+)/.exec(commandLine(pid))?.[1] ?? Number.NaN) }))
    .filter(({ id }) => !Number.isNaN(id))
    .sort((a, b) => a.id - b.id);
  return (pid) => renderers[0]?.pid === pid;
}

function partOf(pid: number, main: number, isWindow: (pid: number) => boolean): Part {
  if (pid === main) return 'main';
  switch (/--type=([a-z-]+)/.exec(commandLine(pid))?.[1]) {
    case 'gpu-process':
      return 'GPU';
    case 'renderer':
      return isWindow(pid) ? 'window' : 'host';
    case 'utility':
      return 'services';
    default:
      return 'others';
  }
}

function treeOf(main: number): readonly Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? []);
  const tree = all.filter(({ pid }) => pid === main);
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid));
  return tree;
}

/**
 * Memory of a process and all its descendants, in MB, each page they share counted once. Not pages of files: of the program's own files,
 * other apps on the machine carry a share, which changes when they start and end.
 */
export const memoryOfTree = (main: number): number =>
  treeOf(main)
    .flatMap(({ pid }) => [...read(`/proc/${pid}/smaps_rollup`).matchAll(/^Pss_(?:Anon|Shmem):\s+(\d+)/gm)])
    .reduce((sum, [, kilobytes]) => sum + Number(kilobytes) / 1024, 0);

/** Null if the process has just ended. */
function statOf(pid: number): Process | null {
  const text = read(`/proc/${pid}/stat`);
  // The name, which may contain anything, ends with the last bracket.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (fields.length < 15) return null;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { pid, parent: Number(fields[1]), ms: ticks * TICK_MS };
}

const commandLine = (pid: number): string => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
