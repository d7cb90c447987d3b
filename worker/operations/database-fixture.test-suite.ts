// For tests: a database in memory behind the real session and the real handlers, asked as a window asks.
import { expect } from 'vitest';
import { PackedRowsReader } from '#shared/packed-rows/reader.ts';
import type { PackedRows } from '#shared/packed-rows/format.ts';
import { AppError } from '#shared/protocol/errors.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { LibraryEntry } from '#shared/protocol/library.ts';
import type { Events } from '#shared/protocol/session.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../engines/engine.ts';
import { IN_MEMORY, createWasmEngine } from '../engines/wasm/wasm-engine.ts';
import { createClock } from '../sessions/clock.ts';
import type { Clock } from '../sessions/clock.ts';
import { OpenDatabase } from '../sessions/database-session.ts';
import { RestingConnection } from '../sessions/resting-connection.ts';
import { ClientWindow } from '../sessions/window-session.ts';
import { WorkMonitor } from '../sessions/work-monitor.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { chartHandlers } from './chart.ts';
import { editHandlers } from './edit.ts';
import { liveHandlers } from './live.ts';
import { queryHandlers } from './query.ts';
import { resultComparisonHandlers } from './result-comparison.ts';
import { rowsHandlers } from './rows.ts';
import { schemaHandlers } from './schema.ts';

const handlers = {
  ...rowsHandlers,
  ...chartHandlers,
  ...resultComparisonHandlers,
  ...queryHandlers,
  ...editHandlers,
  ...schemaHandlers,
  ...liveHandlers,
};
type Handled = keyof typeof handlers & keyof Operations;
type Params<K extends Handled> = Omit<Operations[K]['params'], 'database'>;

const DATABASE = 'db';
const { engine } = await createWasmEngine();

export class TestWindow {
  readonly events: { topic: string; value: unknown }[] = [];
  readonly session: ClientWindow;
  readonly #database: OpenDatabase;
  #cancel: (() => void)[] = [];

  constructor(name: string, database: OpenDatabase) {
    this.#database = database;
    this.session = new ClientWindow(
      name,
      <T extends keyof Events>(topic: T, value: Events[T]) => void this.events.push({ topic, value }),
    );
    this.session.introduce(name);
    database.windows.add(this.session);
  }

  async call<K extends Handled>(
    operation: K,
    params: Params<K>,
    chunks: unknown[] = [],
  ): Promise<Operations[K]['reply']> {
    const context = {
      session: { window: this.session, database: () => this.#database },
      emit: async (chunk: unknown) => void chunks.push(chunk),
      canceled: false,
      onCancel: (listener: () => void) => void this.#cancel.push(listener),
    };
    const handler = handlers[operation] as unknown as (params: unknown, context: unknown) => unknown;
    return (await handler({ ...params, database: DATABASE }, context)) as Operations[K]['reply'];
  }

  cancelAll(): void {
    for (const listener of this.#cancel.splice(0)) listener();
  }

  count(topic: string): number {
    return this.events.filter((event) => event.topic === topic).length;
  }
}

export interface DatabaseFixture {
  /** Work status as the host page sees it. */
  readonly workStatus: WorkStatusBuffer;
  readonly connection: Connection;
  readonly database: OpenDatabase;
  readonly window: TestWindow;
  newWindow(name: string): TestWindow;
  close(): void;
}

export function openFixture(sql = '', clock: Clock = createClock()): DatabaseFixture {
  const connection = engine.open(IN_MEMORY, { durability: 'balanced', create: true });
  runScript(connection, sql);
  const entry = { id: DATABASE, name: 'Test', durability: 'balanced', source: null } as unknown as LibraryEntry;
  const workStatus = new WorkStatusBuffer();
  const windows = new Set<TestWindow>();
  const database: OpenDatabase = new OpenDatabase(DATABASE, new RestingConnection(() => connection), {
    clock,
    monitor: new WorkMonitor(workStatus, clock, () => undefined),
    entryOf: () => entry,
    busyElsewhere: () => false,
    onChanges: (_id, changes) => {
      for (const window of windows) window.events.push({ topic: 'database.changed', value: changes });
    },
    onStateChanged: () => undefined,
  });
  const newWindow = (name: string): TestWindow => {
    const window = new TestWindow(name, database);
    windows.add(window);
    return window;
  };
  const close = (): void => {
    for (const { session } of windows) database.leave(session);
    database.close();
  };
  return {
    workStatus,
    connection,
    database,
    window: newWindow('Window 1'),
    newWindow,
    close,
  };
}

export function runScript(connection: Connection, sql: string): void {
  const script = connection.script(sql);
  for (let statement = script.next(); statement; statement = script.next()) while (statement.step());
  script.dispose();
}

export function valuesOf(rows: PackedRows): Value[][] {
  const cells = new PackedRowsReader(rows);
  return Array.from({ length: rows.rowCount }, (_, row) =>
    Array.from({ length: rows.columnCount }, (__, column) => cells.value(row, column)),
  );
}

export async function failureOf(promise: Promise<unknown>): Promise<AppError> {
  const outcome = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(AppError);
  return outcome as AppError;
}
