// The schemas that a window knows, and when it asks for them again.
import { beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/index.ts';
import type { DatabaseId, DatabaseState } from '#shared/protocol/index.ts';

const fake = vi.hoisted(() => ({
  asked: [] as string[],
  reconnected: (): void => undefined,
  reply: async (): Promise<unknown> => undefined,
  told: [] as string[],
}));
vi.mock('../connection/database-client.ts', () => ({
  client: {
    on: () => undefined,
    onReconnected: (listener: () => void) => void (fake.reconnected = listener),
    call: (op: string, { database }: { readonly database: string }) => {
      fake.asked.push(`${op} ${database}`);
      return fake.reply();
    },
  },
}));
vi.mock('./databases.ts', () => ({ notifyFailure: (thrown: AppError) => void fake.told.push(thrown.message) }));
const { knownObjects, readSchema, startSchemas } = await import('./schema.ts');
const { dropDatabaseState, putDatabaseState } = await import('./store.ts');

const open = (id: DatabaseId): void => putDatabaseState({ entry: { id } } as DatabaseState);
const notOpen = async (): Promise<never> => Promise.reject(AppError.notFound('This database is not open.'));

startSchemas();
beforeEach(() => {
  dropDatabaseState('a');
  Object.assign(fake, { asked: [], told: [], reply: async () => ({ schemaVersion: 1, objects: [{ name: 't' }] }) });
});

test('an engine that starts again is not asked for the schema of a database that was closed', async () => {
  open('a');
  await readSchema('a');
  expect(knownObjects('a')).toHaveLength(1);
  fake.asked = [];
  fake.reconnected();
  expect(fake.asked).toEqual(['schema.get a']);
  dropDatabaseState('a');
  expect(knownObjects('a')).toEqual([]);
  fake.asked = [];
  fake.reconnected();
  expect(fake.asked).toEqual([]);
});

test('that the schema of a database cannot be read is told while the database is open', async () => {
  fake.reply = notOpen;
  open('a');
  await readSchema('a');
  expect(fake.told).toEqual(['This database is not open.']);
  dropDatabaseState('a');
  await readSchema('a');
  expect(fake.told).toHaveLength(1);
});

test('a reading that fails after the database was closed and opened again does not end the next one', async () => {
  let fail!: (error: AppError) => void;
  fake.reply = () => new Promise((_, reject) => (fail = reject));
  open('a');
  const first = readSchema('a');
  dropDatabaseState('a');
  open('a');
  fake.reply = async () => ({ schemaVersion: 2, objects: [{ name: 't' }, { name: 'u' }] });
  await readSchema('a');
  fail(AppError.notFound('This database is not open.'));
  await first;
  expect([knownObjects('a').length, fake.told]).toEqual([2, []]);
});
