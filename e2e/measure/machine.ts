// The machine below: how busy it is, and what memory the processes of the app have.
import { cpus, loadavg } from 'node:os';
import type { SideliteApp } from '../sidelite-app.ts';

const QUIET_SHARE = 0.25;
const LOOK_MS = 500;
/** A machine that is never quiet is not worth waiting for. */
const TIMEOUT_MS = Number(process.env['SIDELITE_QUIET_TIMEOUT_MS'] ?? 5000);
const SAMPLE_MS = 250;

export interface Load {
  readonly lastMinute: number;
  readonly cores: number;
}

/** Memory in MB. */
export interface Memory {
  readonly main: number;
  readonly host: number;
  readonly window: number;
  readonly all: number;
}

export function loadNow(): Load {
  return { lastMinute: loadavg()[0]!, cores: cpus().length };
}

/** Waits until others leave the processors alone; after a while it measures all the same. */
export async function quietMoment(): Promise<void> {
  const giveUpAt = Date.now() + TIMEOUT_MS;
  while (Date.now() < giveUpAt && (await busyShare()) > QUIET_SHARE);
}

async function busyShare(): Promise<number> {
  const total = () =>
    cpus().reduce(
      (sum, { times }) => ({
        idle: sum.idle + times.idle,
        all: sum.all + Object.values(times).reduce((a, b) => a + b),
      }),
      { idle: 0, all: 0 },
    );
  const before = total();
  await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const after = total();
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

export async function memoryOf(app: SideliteApp): Promise<Memory> {
  return app.electron.evaluate(({ app: electronApp, BrowserWindow }) => {
    const megabytes = new Map(
      electronApp.getAppMetrics().map(({ pid, memory }) => [pid, memory.workingSetSize / 1024]),
    );
    const pages = BrowserWindow.getAllWindows().map(({ webContents }) => ({
      host: webContents.getURL().endsWith('/host.html'),
      pid: webContents.getOSProcessId(),
    }));
    const of = (pids: (number | undefined)[]): number =>
      pids.reduce<number>((sum, pid) => sum + (megabytes.get(pid ?? 0) ?? 0), 0);
    return {
      main: of([process.pid]),
      host: of(pages.filter(({ host }) => host).map(({ pid }) => pid)),
      window: of(pages.filter(({ host }) => !host).map(({ pid }) => pid)),
      all: of([...megabytes.keys()]),
    };
  });
}

/** Looks at the memory again and again while `body` runs. */
export async function withMemorySamples<T>(
  app: SideliteApp,
  body: () => Promise<T>,
): Promise<{ readonly result: T; readonly samples: readonly Memory[] }> {
  const samples: Memory[] = [await memoryOf(app)];
  let sampling = Promise.resolve();
  const timer = setInterval(
    () => (sampling = sampling.then(async () => void samples.push(await memoryOf(app)))),
    SAMPLE_MS,
  );
  try {
    return { result: await body(), samples };
  } finally {
    clearInterval(timer);
    await sampling;
  }
}
