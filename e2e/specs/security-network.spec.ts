// Nothing leaves: what a page may try to reach another computer with, tried with a server on this one.
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures.ts';
import { AppWindow } from '../pages/app-window.ts';

test.use({
  isAlone: true,
  expectedProblems:
    /Content Security Policy|requires 'Trusted|ERR_|Failed to (load|fetch)|WebTransport|ServiceWorker|a ping|localhost/,
});

/** What reached a server of TCP and UDP on one port. */
interface Reached {
  readonly port: number;
  /** What was said first on each connection. */
  readonly connections: readonly string[];
  readonly packets: () => number;
  close(): void;
}

async function listen(): Promise<Reached> {
  const connections: string[] = [];
  const tcp = createServer((socket) => {
    const at = connections.push('nothing was said') - 1;
    socket.once('data', (bytes) => (connections[at] = bytes.toString('latin1').slice(0, 60)));
    socket.on('error', () => undefined);
  }).listen(0);
  await once(tcp, 'listening');
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket({ type: 'udp6' }).bind(port);
  await once(udp, 'listening');
  let packets = 0;
  udp.on('message', () => packets++);
  return {
    port,
    connections,
    packets: () => packets,
    close() {
      tcp.close();
      udp.close();
    },
  };
}

/** Runs in the page. Returns when each attempt has failed, or was given to the browser. */
async function tryEverything(host: string): Promise<readonly string[]> {
  const http = `http://${host}`;
  const refused: string[] = [];
  const attempt = async (name: string, make: () => unknown): Promise<void> => {
    try {
      await make();
    } catch {
      refused.push(name);
    }
  };
  const element = (tag: string, attributes: Record<string, string>): HTMLElement => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    document.body.append(made);
    return made;
  };
  const gather = async (urls: string): Promise<void> => {
    const connection = new RTCPeerConnection({ iceServers: [{ urls, username: 'a', credential: 'b' }] });
    connection.createDataChannel('out');
    await connection.setLocalDescription();
    if (connection.iceGatheringState !== 'complete')
      await new Promise<void>((resolve) => {
        connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && resolve();
      });
    connection.close();
  };
  await attempt('fetch', () => fetch(`${http}/fetch`, { mode: 'no-cors' }));
  await attempt('keepalive', () => fetch(`${http}/keepalive`, { mode: 'no-cors', method: 'POST', keepalive: true }));
  await attempt('beacon', () => navigator.sendBeacon(`${http}/beacon`, 'x'));
  await attempt('events', () => new EventSource(`${http}/events`));
  await attempt('socket', () => new WebSocket(`ws://${host}/socket`));
  await attempt(
    'transport',
    () =>
      new (globalThis as unknown as { WebTransport: new (url: string) => { ready: unknown } }).WebTransport(
        `https://${host}/`,
      ).ready,
  );
  await attempt('service worker', () => navigator.serviceWorker.register('/assets/sw.js'));
  await attempt('shared worker', () => new SharedWorker(`${http}/worker.js`));
  for (const rel of [
    'dns-prefetch',
    'preconnect',
    'prefetch',
    'prerender',
    'preload',
    'modulepreload',
    'stylesheet',
    'icon',
    'manifest',
  ])
    await attempt(rel, () => element('link', { rel, href: `${http}/${rel}`, as: 'script' }));
  for (const tag of ['img', 'iframe', 'embed', 'video', 'audio', 'script'])
    await attempt(tag, () => element(tag, { src: `${http}/${tag}` }));
  await attempt('object', () => element('object', { data: `${http}/object` }));
  await attempt('ping', () => element('a', { href: 'app://shell/index.html#', ping: `${http}/ping` }).click());
  await attempt('style', () => element('p', { style: `background: url(${http}/style)` }));
  await attempt('window', () => window.open(`${http}/window`));
  await attempt('navigation', () => (location.href = `${http}/navigation`));
  await attempt('form', () =>
    (element('form', { action: `${http}/form`, method: 'post' }) as HTMLFormElement).submit(),
  );
  for (const urls of [
    `stun:${host}`,
    `turn:${host}?transport=udp`,
    `turn:${host}?transport=tcp`,
    `turns:${host}?transport=tcp`,
  ])
    await gather(urls);
  return refused;
}

test('no page of the app reaches another computer, by any way there is', async ({ app, page }) => {
  await new AppWindow(page).connected();
  const pages: readonly Page[] = [page, await app.host()];
  for (const each of pages) {
    const server = await listen();
    // By name: this also asks the system for the address of it.
    await each.evaluate(tryEverything, `localhost:${server.port}`);
    await each.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect([server.connections, server.packets()]).toEqual([[], 0]);
    server.close();
  }
  expect(readFileSync(join(app.profile, 'sidelite.log'), 'utf8')).toContain('Content Security Policy');

  // Below all policies and filters: a page that has none of them finds no name either.
  const server = await listen();
  const found = await app.electron.evaluate(async ({ BrowserWindow }, url) => {
    const stranger = new BrowserWindow({ show: false, webPreferences: { sandbox: true, partition: 'stranger' } });
    const outcome = await stranger.loadURL(url).then(() => 'loaded', String);
    stranger.destroy();
    return outcome;
  }, `http://localhost:${server.port}/`);
  expect(found).toContain('ERR_NAME_NOT_RESOLVED');
  expect(server.connections).toEqual([]);
  server.close();
});
