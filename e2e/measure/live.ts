// A stream of commits with live queries open on what they change: whether it is kept up with, and what the frames of both windows feel of it. From
// a single commit to the painted cell, here and in another window, among many live queries: `npm run -s bench -- --suite live`.
import type { Page } from '@playwright/test';
import type { Durability } from '../../shared/protocol/library.ts';
import { joinWire } from '../support/wire-in-page.ts';
import { secondWindow } from './edit.ts';
import { takeFrames } from './in-page.ts';
import { quietMoment } from './machine.ts';
import type { Report } from './report.ts';
import { withBigTable } from './apps.ts';

/** How a library copy is kept unless the user chooses otherwise is the first. */
const DURABILITIES: readonly Durability[] = ['full', 'balanced'];
const ROWS = 1_000_000;
const LIVE_QUERIES = 10;
const CHANGING = 'SELECT id, name FROM big WHERE id BETWEEN 1 AND 100';
const WATCHED_ROWS = 30;
const PER_SECOND = 1_000;
const SECONDS = 10;
/** How long to wait for what has not arrived by then. */
const TIMEOUT_MS = 20_000;

export async function measureLive(report: Report): Promise<void> {
  await withBigTable(ROWS, async (table) => {
    const writer = table.page;
    const other = await secondWindow(table);
    for (const page of [writer, other]) {
      await joinWire(page);
      await page.evaluate(learnDatabase);
    }
    for (const durability of DURABILITIES) {
      await writer.evaluate(
        (wanted) => window.ask('library.setDurability', { database: window.databaseId, durability: wanted }),
        durability,
      );
      await other.evaluate(openLiveQueries, { sql: CHANGING, count: LIVE_QUERIES, rows: WATCHED_ROWS });
      await measureStream(`live, ${durability}`, report, writer, other);
      await other.evaluate(closeLiveQueries);
    }
  });
}

async function measureStream(name: string, report: Report, writer: Page, other: Page): Promise<void> {
  await quietMoment();
  for (const page of [writer, other]) await page.evaluate(takeFrames);
  const { sent, acknowledged, backlog, drainMs, failures } = await writer.evaluate(commitSteadily, {
    perSecond: PER_SECOND,
    seconds: SECONDS,
    timeoutMs: TIMEOUT_MS,
  });
  const what = `${name}: ${PER_SECOND} commits a second for ${SECONDS} s with ${LIVE_QUERIES} live grids`;
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

async function openLiveQueries(asked: { sql: string; count: number; rows: number }): Promise<void> {
  window.liveReaders = [];
  for (let query = 0; query < asked.count; query++) {
    const live = { database: window.databaseId, sql: asked.sql, params: [], limitMs: null };
    const { reader } = (await window.ask('live.open', live)) as { reader: number };
    await window.ask('rows.watch', { reader, range: { start: 0, count: asked.rows } });
    window.liveReaders.push(reader);
  }
}

async function closeLiveQueries(): Promise<void> {
  for (const reader of window.liveReaders ?? []) await window.ask('rows.close', { reader });
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
