// From starting the process to a window that paints, and to the rows of the database that was open last, in time and in processor time; and a
// new sample database. With SIDELITE_BESIDE, the folder of another checkout with a bundle, that one starts in turns with this one.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { quietMoment } from './machine.ts';
import { processorTime, rest, totalOf } from './processes.ts';
import type { ProcessorTime } from './processes.ts';
import type { Report } from './report.ts';

const TRY_AGAIN_MS = 5;
const RUNS = Number(process.env['SIDELITE_STARTS'] ?? 10);
const ROWS = 100_000;
const HERE = resolve(import.meta.dirname, '../..');
const BESIDE = process.env['SIDELITE_BESIDE'];

interface Figure {
  readonly what: string;
  of(start: Start): number | null;
}

const inAll = (time: ProcessorTime | null): number | null => time && totalOf(time);

const FIGURES: readonly Figure[] = [
  { what: 'first paint of the window', of: ({ paint }) => paint },
  { what: 'rows of the remembered table', of: ({ rows }) => rows },
  { what: 'processor time until these rows', of: ({ untilRows }) => inAll(untilRows) },
  { what: 'processor time until nothing is left to do', of: ({ untilRest }) => inAll(untilRest) },
];

export async function measureStart(report: Report): Promise<void> {
  const builds = [HERE, ...(BESIDE === undefined ? [] : [resolve(BESIDE)])];
  const apps = builds.map(() => new SideliteApp());
  try {
    const executable = await prepare(apps);
    const starts: Start[][] = builds.map(() => []);
    for (let run = 0; run < RUNS; run++) {
      for (const [index, build] of builds.entries()) {
        await quietMoment();
        const [, ...args] = apps[index]!.commandLine([]);
        starts[index]!.push(await timedStart(executable, [build, ...args]));
      }
    }
    for (const [index, build] of builds.entries()) {
      if (index > 0) report.note(`beside: ${build}`);
      for (const figure of FIGURES) report.add(nameOf(figure, index), 'ms', valuesOf(figure, starts[index]!));
      addParts(report, index, starts[index]!);
    }
    if (builds.length > 1)
      for (const figure of FIGURES) report.add(`${nameOf(figure, 0)}, ratio`, 'x', ratios(figure, starts));
    await measureSample(report, apps[0]!);
  } finally {
    for (const app of apps) await app.dispose();
  }
}

/** The first start opens a database and a table in it. Resolves with the program to start. */
async function prepare(apps: readonly SideliteApp[]): Promise<string> {
  let executable = '';
  for (const app of apps) {
    const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows: ROWS })));
    await view.opened('big');
    await view.openTable('big');
    executable = await app.electron.evaluate(() => process.execPath);
    await app.quit();
  }
  return executable;
}

const nameOf = ({ what }: Figure, index: number): string => `${index === 0 ? '' : 'beside, '}second start: ${what}`;

const valuesOf = ({ of }: Figure, starts: readonly Start[]): number[] => starts.flatMap((start) => of(start) ?? []);

/** Ratios of the starts that took turns. */
function ratios({ of }: Figure, [here, beside]: readonly (readonly Start[])[]): number[] {
  return here!.flatMap((start, run) => {
    const [one, other] = [of(start), of(beside![run]!)];
    return one === null || other === null ? [] : one / other;
  });
}

function addParts(report: Report, index: number, starts: readonly Start[]): void {
  const times = starts.flatMap(({ untilRows }) => untilRows ?? []);
  for (const part of Object.keys(times[0] ?? {}) as (keyof ProcessorTime)[])
    report.add(
      `${index === 0 ? '' : 'beside, '}second start: processor time of ${part} until these rows`,
      'ms',
      times.map((time) => time[part]),
    );
}

async function measureSample(report: Report, app: SideliteApp): Promise<void> {
  const view = new AppWindow(await app.start());
  await view.connected();
  await quietMoment();
  const began = performance.now();
  await app.menu('file.sampleDatabase');
  await expect(view.database).toHaveText(/sample/i, { timeout: 30_000 });
  report.add('sample database: made and opened', 'ms', [performance.now() - began]);
}

interface Start {
  /** Times in ms from the start of the process. */
  readonly paint: number;
  readonly rows: number;
  /** Time until the rows; null where the system does not say. */
  readonly untilRows: ProcessorTime | null;
  /** Time until the app did nothing anymore. */
  readonly untilRest: ProcessorTime | null;
}

/** One start of the app without the test tool, which holds up a start: only the debugging port is open. */
async function timedStart(executable: string, args: readonly string[]): Promise<Start> {
  const began = Date.now();
  const started = spawn(executable, [...args, '--remote-debugging-port=0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(started, 'exit');
  try {
    const socket = await pageSocket(await debuggingPort(started));
    const { paint, rows } = await evaluate<PageTimes>(socket, `(${whenThere.toString()})()`);
    const counts = process.platform === 'linux';
    const untilRows = counts ? processorTime(started.pid!) : null;
    if (counts) await rest(started.pid!);
    const untilRest = counts ? processorTime(started.pid!) : null;
    socket.close();
    return { paint: paint - began, rows: rows - began, untilRows, untilRest };
  } finally {
    started.kill();
    await ended;
  }
}

interface PageTimes {
  readonly paint: number;
  readonly rows: number;
}

/** First contentful paint, and the first row of the grid's mirror: rows are painted a moment before they are there. */
async function whenThere(): Promise<PageTimes> {
  const firstRow = (): Element | null =>
    document.querySelector('[role=grid] [role=row][data-row] [role=gridcell]:not(:empty)');
  while (!firstRow()) await new Promise(requestAnimationFrame);
  const rows = Date.now();
  const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN;
  return { paint: performance.timeOrigin + paint, rows };
}

async function debuggingPort({ stderr }: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: stderr! })) {
    const port = /DevTools listening on ws:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port) return Number(port);
  }
  throw new Error('The app ended before it opened its debugging port.');
}

async function pageSocket(port: number): Promise<WebSocket> {
  for (;;) {
    const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
      url: string;
      webSocketDebuggerUrl: string;
    }[];
    const page = targets.find(({ url }) => url.endsWith('/index.html'));
    if (page) {
      const socket = new WebSocket(page.webSocketDebuggerUrl);
      await once(socket, 'open');
      return socket;
    }
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
  }
}

async function evaluate<T>(socket: WebSocket, expression: string): Promise<T> {
  for (;;) {
    socket.send(
      JSON.stringify({
        id: 1,
        method: 'Runtime.evaluate',
        params: { expression, awaitPromise: true, returnByValue: true },
      }),
    );
    const [{ data }] = (await once(socket, 'message')) as [MessageEvent<string>];
    const { result } = JSON.parse(data) as { result?: { result: { value: T } } };
    if (result) return result.result.value;
    await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS)); // the page has no script context yet
  }
}
