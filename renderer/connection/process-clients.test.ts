// Ports of a process may come before this window knows which database they are for.
import { expect, test, vi } from 'vitest';
import { ownReadersFrom, ownWorksFrom } from '#shared/protocol/index.ts';

type Receive = (ports: object, database: string, slot: number) => void;
const fake = vi.hoisted(() => ({ receive: null as unknown, got: [] as object[] }));
vi.mock('./connect.ts', () => ({ connectProcesses: (receive: unknown) => (fake.receive = receive) }));
vi.mock('./reconnecting-client.ts', () => ({
  ReconnectingClient: class {
    constructor(connect: (onPorts: (ports: object) => void) => void) {
      connect((ports) => fake.got.push({ client: this, ports }));
    }
  },
}));
const { ProcessClients } = await import('./process-clients.ts');

test('each database gets the ports that came for it, and its numbers tell its client from the others', () => {
  const clients = new ProcessClients(async () => ({ windowTitle: '' }));
  const [early, late] = [{ name: 'early' }, { name: 'late' }];
  (fake.receive as Receive)(early, 'file:encrypted-a', 3);
  const first = clients.of('file:encrypted-a');
  const second = clients.of('remote-b');
  (fake.receive as Receive)(late, 'remote-b', 4);
  expect(fake.got).toEqual([
    { client: first, ports: early },
    { client: second, ports: late },
  ]);
  expect(clients.ofReader(ownReadersFrom(3, Date.now()) + 1)).toBe(first);
  expect(clients.ofWork({ id: ownWorksFrom(4) + 1 })).toBe(second);
  expect(clients.databaseOf(first)).toBe('file:encrypted-a');
});
