// Rows that follow what is committed: how long from a commit in one window to the cell painted in another, with many live queries open,
// and whether a stream of commits is kept up with.
import type { Page } from '@playwright/test';
import type { Durability } from '../../shared/protocol/library.ts';
import type { LiveCounters } from '../../shared/protocol/live.ts';
import { joinWire } from '../support/wire-in-page.ts';
import { secondWindow } from './edit.ts';
import { expectPainted, takeFrames, takeMoments } from './in-page.ts';
import { flushTimes, quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { withBigTable } from './apps.ts';

/** How a library copy is kept unless the user chooses otherwise is the first. */
const DURABILITIES: readonly Durability[] = ['full', 'balanced'];
const ROWS = 1_000_000;
const COMMITS = 120;
/** Kinds of live queries, as many of each: the rows that are changed, and what should not have to run for them. */
const KINDS: readonly (readonly [kind: string, sql: (index: number) => string])[] = [
  ['rows that change', () => 'SELECT id, name FROM big WHERE id BETWEEN 1 AND 100'],
  ['a row by key', (index) => `SELECT * FROM big WHERE id = ${500_000 + index}`],
  [
    'a range elsewhere',
    (index) => `SELECT id, name FROM big WHERE id BETWEEN ${100_000 + index} AND ${100_099 + index}`,
  ],
  ['columns that do not change', (index) => `SELECT id FROM big WHERE id > ${index} LIMIT 100`],
  ['another table', (index) => `SELECT * FROM other WHERE id > ${index}`],
];
const OF_EACH_KIND = 10;
const LIVE_QUERIES = KINDS.length * OF_EACH_KIND;
const WATCHED_ROWS = 30;
const OTHER_TABLE =
  'CREATE TABLE other (id INTEGER PRIMARY KEY, a); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) INSERT INTO other SELECT i, i FROM n';
const PER_SECOND = 1_000;
const SECONDS = 10;
/** How long to wait for what has not arrived by then. */
const TIMEOUT_MS = 20_000;

export async function measureLive(report: Report): Promise<void> {
  await withBigTable(ROWS, async (table) => {
    const writer = table.page;
    const other = await secondWindow(table);
    await joinWire(writer);
    await joinWire(other);
    await writer.evaluate(learnDatabase);
    await writer.evaluate((sql) => window.ask('query.run', { database: window.databaseId, sql }), OTHER_TABLE);
    await other.evaluate(learnDatabase);
    report.note(
      'live: drawn is the call that paints the text on the canvas, on the task the patch comes with; the next frame shows it. When that frame begins includes a wait of 0 to 16.7 ms for the screen, which nothing shortens',
    );
    for (const durability of DURABILITIES) {
      await writer.evaluate(
        (wanted) => window.ask('library.setDurability', { database: window.databaseId, durability: wanted }),
        durability,
      );
      await quietMoment();
      report.add(`live: a flush of 4 KB by itself, before ${durability}`, 'ms', flushTimes(table.app.folder));
      await measureIn(durability, report, writer, other);
    }
  });
}

async function measureIn(durability: Durability, report: Report, writer: Page, other: Page): Promise<void> {
  const name = `live, ${durability}`;
  await quietMoment();
  addTimes(report, `${name}: commit to cell in the other window`, await commitAndPaint(writer, other, durability));
  const opened = await other.evaluate(openLiveQueries, { sql: liveQueries(KINDS), rows: WATCHED_ROWS });
  if (typeof opened === 'string') return report.note(`${name}: ${opened}`);
  await quietMoment();
  const before = await other.evaluate(countersNow);
  const what = `${name}: the same with ${LIVE_QUERIES} live queries open`;
  addTimes(report, what, await commitAndPaint(writer, other, `${durability} among`));
  noteCounters(report, before, await other.evaluate(countersNow));
  await other.evaluate(closeLiveQueries);
  await other.evaluate(openLiveQueries, { sql: liveQueries(KINDS.slice(0, 1)), rows: WATCHED_ROWS });
  await measureStream(name, report, writer, other);
  await other.evaluate(closeLiveQueries);
}

const liveQueries = (kinds: typeof KINDS): string[] =>
  kinds.flatMap(([, sql]) => Array.from({ length: OF_EACH_KIND }, (_, index) => sql(index)));

interface Times {
  readonly drawn: number[];
  readonly framed: number[];
}

function addTimes(report: Report, what: string, { drawn, framed }: Times): void {
  report.add(`${what}: drawn`, 'ms', drawn);
  report.add(`${what}: its frame begins`, 'ms', framed);
}

/**
 * Returns for each commit the milliseconds from asking for it in one window until the other has drawn the new text, and until the frame
 * with it begins.
 */
async function commitAndPaint(writer: Page, other: Page, label: string): Promise<Times> {
  const times: Times = { drawn: [], framed: [] };
  for (let index = 0; index < COMMITS; index++) {
    const text = `${label} ${index}`;
    await other.evaluate(expectPainted, { key: null, text });
    // Asked for beforehand: the question would reach the other window just when it has to paint.
    const seen = other.evaluate(takeMoments);
    const asked = await writer.evaluate(
      async (sql) => {
        const now = performance.timeOrigin + performance.now();
        await window.ask('query.run', { database: window.databaseId, sql });
        return now;
      },
      `UPDATE big SET name = '${text}' WHERE id = ${(index % 10) + 1}`,
    );
    const { drawn, painted } = await seen;
    times.drawn.push(drawn - asked);
    times.framed.push(painted - asked);
  }
  return times;
}

function noteCounters(report: Report, before: readonly LiveCounters[], after: readonly LiveCounters[]): void {
  const former = new Map(before.map((counters) => [counters.reader, counters]));
  const sum = (of: readonly LiveCounters[], key: 'runs' | 'skips' | 'unchanged' | 'patches' | 'bytes'): number =>
    of.reduce((total, counters) => total + counters[key] - (former.get(counters.reader)?.[key] ?? 0), 0);
  for (const [index, [kind]] of KINDS.entries()) {
    const of = after.slice(index * OF_EACH_KIND, (index + 1) * OF_EACH_KIND);
    report.note(
      `live: ${COMMITS} commits, ${OF_EACH_KIND} queries of ${kind}: ${sum(of, 'runs')} runs, ${sum(of, 'skips')} skipped, ${sum(of, 'unchanged')} unchanged, ${sum(of, 'patches')} patches of ${sum(of, 'bytes')} bytes`,
    );
  }
}

async function measureStream(name: string, report: Report, writer: Page, other: Page): Promise<void> {
  await quietMoment();
  for (const page of [writer, other]) await page.evaluate(takeFrames);
  const { sent, acknowledged, backlog, drainMs, failures } = await writer.evaluate(commitSteadily, {
    perSecond: PER_SECOND,
    seconds: SECONDS,
    timeoutMs: TIMEOUT_MS,
  });
  const what = `${name}: ${PER_SECOND} commits a second for ${SECONDS} s with 10 live grids`;
  report.add(`${what}: acknowledged`, '1/s', [acknowledged / SECONDS]);
  report.add(`${what}: waiting at the end`, 'commits', [backlog]);
  if (drainMs !== null) report.add(`${what}: until these were done`, 'ms', [drainMs]);
  report.add(`${what}: frame of the writing window`, 'ms', await writer.evaluate(takeFrames));
  report.add(`${what}: frame of the other window`, 'ms', await other.evaluate(takeFrames));
  report.note(`${name}: ${sent} commits sent, ${failures} failed`);
}

declare global {
  interface Window {
    databaseId: string;
    liveReaders?: number[];
  }
}

async function learnDatabase(): Promise<void> {
  const [entry] = (await window.ask('library.list', {})) as { id: string }[];
  window.databaseId = entry!.id;
}

/** Returns a sentence when this is not possible. */
async function openLiveQueries({ sql, rows }: { sql: string[]; rows: number }): Promise<number | string> {
  window.liveReaders = [];
  try {
    for (const text of sql) {
      const { reader } = (await window.ask('live.open', {
        database: window.databaseId,
        sql: text,
        params: [],
        limitMs: null,
      })) as { reader: number };
      await window.ask('rows.watch', { reader, range: { start: 0, count: rows } });
      window.liveReaders.push(reader);
    }
    return window.liveReaders.length;
  } catch (error) {
    return (error as Error).message;
  }
}

async function closeLiveQueries(): Promise<void> {
  for (const reader of window.liveReaders ?? []) await window.ask('rows.close', { reader });
}

/** Counters of the queries that were opened, in that order. */
async function countersNow(): Promise<readonly LiveCounters[]> {
  const { windowId } = await window.sidelite.windowInfo();
  const all = (await window.ask('live.counters', { database: window.databaseId })) as LiveCounters[];
  return window.liveReaders!.map((reader) =>
    all.find((counters) => counters.reader === reader && counters.windowId === windowId)!,
  );
}

interface Stream {
  readonly sent: number;
  /** Numbers at the moment when the time was over. */
  readonly acknowledged: number;
  readonly backlog: number;
  /** Time until there was none left; null when that took too long. */
  readonly drainMs: number | null;
  readonly failures: number;
}

/** Asks for commits by the clock, however many are still under way. Not by `ask`, which adds a listener for each. */
async function commitSteadily({
  perSecond,
  seconds,
  timeoutMs,
}: {
  perSecond: number;
  seconds: number;
  timeoutMs: number;
}): Promise<Stream> {
  const port = window.dataPort!;
  let nextId = 1_500_000_000;
  const firstId = nextId;
  let [sent, answered, failures] = [0, 0, 0];
  const take = ({ t, id }: { t: string; id: number }): void => {
    if (!(id >= firstId) || (t !== 'ok' && t !== 'err')) return;
    answered++;
    if (t === 'err') failures++;
  };
  const hear = ({ data }: MessageEvent): void => (data.t === 'batch' ? data.messages : [data]).forEach(take);
  port.addEventListener('message', hear);
  const began = performance.now();
  const endsAt = began + seconds * 1000;
  while (performance.now() < endsAt) {
    const due = Math.floor(((performance.now() - began) / 1000) * perSecond);
    for (; sent < due; sent++) {
      const sql = `UPDATE big SET name = 'stream ${sent}' WHERE id = ${(sent % 20) + 1}`;
      port.postMessage({ t: 'req', id: nextId++, op: 'query.run', params: { database: window.databaseId, sql } });
    }
    await new Promise((resolve) => setTimeout(resolve, 4));
  }
  const acknowledged = answered;
  const backlog = sent - answered;
  while (answered < sent && performance.now() < endsAt + timeoutMs)
    await new Promise((resolve) => setTimeout(resolve, 1));
  port.removeEventListener('message', hear);
  const drainMs = answered === sent ? performance.now() - endsAt : null;
  return { sent, acknowledged, backlog, drainMs, failures };
}
