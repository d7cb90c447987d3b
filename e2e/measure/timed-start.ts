// One start of the app without the test tool, which holds up a start: only the debugging port is open.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { processorTime, rest } from './processes.ts';
import type { ProcessorTime } from './processes.ts';

const TRY_AGAIN_MS = 5;

export interface Start {
  /** Times in ms from the start of the process. */
  readonly paint: number;
  readonly rows: number;
  /** Time until the rows; null where the system does not say. */
  readonly untilRows: ProcessorTime | null;
  /** Time until the app did nothing anymore. */
  readonly untilRest: ProcessorTime | null;
}

export async function timedStart(executable: string, args: readonly string[]): Promise<Start> {
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
