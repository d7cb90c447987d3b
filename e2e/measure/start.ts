// From starting the process to a window that paints, and to the rows of the database that was open last; and a new sample database.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from '@playwright/test';
import { makeDatabase } from '../data/make-database.ts';
import { AppWindow } from '../pages/app-window.ts';
import { SideliteApp } from '../sidelite-app.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';

const RUNS = 5;
const ROWS = 1_000_000;
const TRY_AGAIN_MS = 5;

export async function measureStart(report: Report): Promise<void> {
  const app = new SideliteApp();
  try {
    const view = new AppWindow(await app.start(makeDatabase(join(app.folder, 'big.db'), { kind: 'big', rows: ROWS })));
    await view.opened('big');
    await view.openTable('big');
    const executable = await app.electron.evaluate(() => process.execPath);
    await app.quit();
    const runs: Start[] = [];
    for (let run = 0; run < RUNS; run++) {
      await quietMoment();
      runs.push(await timedStart(executable, app.commandLine([])));
    }
    report.add(
      'second start: first paint of the window',
      'ms',
      runs.map(({ paint }) => paint),
    );
    report.add(
      'second start: rows of the remembered table',
      'ms',
      runs.map(({ rows }) => rows),
    );
    await measureSample(report, app);
  } finally {
    await app.dispose();
  }
}

interface Start {
  readonly paint: number;
  readonly rows: number;
}

/** Without the test tool, which holds up the start: only the debugging port is open. */
async function timedStart(executable: string, args: readonly string[]): Promise<Start> {
  const began = Date.now();
  const started = spawn(executable, [...args, '--remote-debugging-port=0'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(started, 'exit');
  try {
    const socket = await pageSocket(await debuggingPort(started));
    const { paint, rows } = await evaluate<Start>(socket, `(${whenThere.toString()})()`);
    socket.close();
    return { paint: paint - began, rows: rows - began };
  } finally {
    started.kill();
    await ended;
  }
}

/** First contentful paint, and the first row of the grid's mirror: rows are painted a moment before they are there. */
async function whenThere(): Promise<Start> {
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

async function measureSample(report: Report, app: SideliteApp): Promise<void> {
  const view = new AppWindow(await app.start());
  await view.connected();
  await quietMoment();
  const began = performance.now();
  await app.menu('file.sampleDatabase');
  await expect(view.database).toHaveText(/sample/i, { timeout: 30_000 });
  report.add('sample database: made and opened', 'ms', [performance.now() - began]);
}
