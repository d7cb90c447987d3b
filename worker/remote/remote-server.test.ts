// One connection's server, from a window's request to a server that does what it likes.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Operations } from '#shared/protocol/index.ts';
import type { Events } from '#shared/protocol/session.ts';
import { createClient } from '#shared/rpc/client.ts';
import { domPort } from '#shared/rpc/port.ts';
import { startNetwork } from '../engines/remote/network/network-thread.test-suite.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { createRemoteEngine } from '../engines/remote/remote-engine.ts';
import { startHostileServer } from '../engines/remote/hostile-server.test-suite.ts';
import type { HostileServer } from '../engines/remote/hostile-server.test-suite.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { RemoteServer } from './remote-server.ts';

let hostile: HostileServer;
beforeAll(async () => {
  hostile = await startHostileServer();
});
afterAll(() => hostile.end());

/** Presses Stop for the first work it sees: the thread of the test is blocked in the meantime. */
function stopsTheFirst(workStatus: WorkStatusBuffer): Worker {
  const file = new URL('../threads/work-status-buffer.ts', import.meta.url).href;
  return new Worker(
    `import('${file}').then(({ WorkStatusBuffer }) => {
      const workStatus = new WorkStatusBuffer(require('node:worker_threads').workerData);
      const look = () => {
        const [work] = workStatus.read();
        if (work) workStatus.stop(work.id);
        else setTimeout(look, 5);
      };
      look();
    });`,
    { eval: true, workerData: workStatus.memory },
  );
}

it('Stop ends the opening of a database whose server accepts, and never answers', async () => {
  let look: (() => void) | null = null;
  const target = {
    ...{ database: 'remote-1', name: 'Shop', url: hostile.url, token: null },
    ...{ readOnly: false, production: false, slot: 0 },
  };
  const engine = await createRemoteEngine(() => ({ ...target, look: () => look?.() }), { startNetwork });
  const workStatus = new WorkStatusBuffer();
  const server = new RemoteServer({
    ...{ engine, local: await createNativeEngine(), target, workStatus, files: null as never },
    lookWhileOpening: (now) => (look = now),
    onBusy: () => undefined,
  });
  const { port1, port2 } = new MessageChannel();
  server.serve('w', domPort(port2 as never));
  const client = createClient<Operations, Events>(domPort(port1 as never));
  const stopper = stopsTheFirst(workStatus);
  await expect(client.call('database.open', { database: 'remote-1' })).rejects.toMatchObject({
    code: 'stopped',
    message: expect.stringMatching(/^Stopped while “Shop” was being opened\./) as string,
  });
  expect(look).toBeNull();
  await stopper.terminate();
  server.settle();
  port1.close();
});
