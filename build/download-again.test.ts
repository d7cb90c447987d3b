import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import { isOffered, isWorthAnotherTry, noteFailure, readFailure, type Failure } from './download-again.ts';

const MINUTE = 60_000;
const work = mkdtempSync(join(tmpdir(), 'sidelite-download-'));
const servers: Server[] = [];
afterAll(() => {
  rmSync(work, { recursive: true, force: true });
  for (const server of servers) server.close().closeAllConnections();
});

const failure = (cause: Failure['cause'], agoMs: number): Failure => ({ version: '45', cause, agoMs });
const answering = (answer: boolean) => vi.fn<() => Promise<boolean>>().mockResolvedValue(answer);

it('a machine that was offline downloads with the first start after that, whenever it is', async () => {
  for (const agoMs of [0, MINUTE, 23 * 60 * MINUTE]) {
    expect(await isWorthAnotherTry(failure('unreachable', agoMs), '45', answering(true))).toBe(true);
    expect(await isWorthAnotherTry(failure('unreachable', agoMs), '45', answering(false))).toBe(false);
  }
});

it('a download that failed although the server answers waits ten minutes, and asks nobody meanwhile', async () => {
  const answers = answering(true);
  expect(await isWorthAnotherTry(failure('failed', 9 * MINUTE), '45', answers)).toBe(false);
  expect(answers).not.toHaveBeenCalled();
  expect(await isWorthAnotherTry(failure('failed', 10 * MINUTE), '45', answers)).toBe(true);
});

it('the first try, one of another version and one a day ago need no answer', async () => {
  const answers = answering(false);
  expect(await isWorthAnotherTry(null, '45', answers)).toBe(true);
  expect(await isWorthAnotherTry(failure('failed', 0), '46', answers)).toBe(true);
  expect(await isWorthAnotherTry(failure('unreachable', 24 * 60 * MINUTE), '45', answers)).toBe(true);
  expect(answers).not.toHaveBeenCalled();
});

it('a failure is remembered with its reason and its age', () => {
  const file = join(work, 'failed');
  expect(readFailure(file)).toBe(null);
  noteFailure(file, '45.4.1', 'unreachable');
  utimesSync(file, new Date(), new Date(Date.now() - 5 * MINUTE));
  const read = readFailure(file)!;
  expect(read).toMatchObject({ version: '45.4.1', cause: 'unreachable' });
  expect(read.agoMs).toBeGreaterThanOrEqual(5 * MINUTE - 1000);
  // The format before reasons were recorded.
  writeFileSync(file, '45.4.1');
  expect(readFailure(file)).toBe(null);
});

async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/electron.zip`;
}

it('a server that has the file is told from one that has not, refuses, or swallows the question', async () => {
  expect(await isOffered(await serving((_request, response) => response.end()))).toBe(true);
  expect(await isOffered(await serving((_request, response) => response.writeHead(403).end()))).toBe(false);
  expect(await isOffered('http://127.0.0.1:1/electron.zip')).toBe(false);
  const began = performance.now();
  expect(await isOffered(await serving(() => undefined))).toBe(false);
  expect(performance.now() - began).toBeGreaterThan(1_900);
});
