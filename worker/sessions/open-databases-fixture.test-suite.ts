// For tests of which databases are open: databases of two windows, with their histories, and how many connections these have.
import { AppError } from '#shared/protocol/errors.ts';
import type { Connection } from '../engines/engine.ts';
import type { FaultLab } from '../engines/wasm/faults/lab.test-suite.ts';
import { Histories } from '../history/histories.ts';
import { WorkStatusBuffer } from '../threads/work-status-buffer.ts';
import { fakeClock } from './fake-clock.test-suite.ts';
import { OpenDatabases } from './open-databases.ts';
import { ClientWindow } from './window-session.ts';
import { WorkMonitor } from './work-monitor.ts';

const ENTRY = { lastUsedAtMs: 0, durability: 'full' as const, source: null };
const NO_MEMORY = { result: 7, extended: 7, offset: -1 };

/** Databases of a library in the memory of `lab`, with what a test asks of them. */
export function openDatabasesIn(lab: FaultLab) {
  lab.disk.start(null, 0);
  const clock = fakeClock();
  const settings = { getState: () => null, putState: () => undefined };
  /** Connections that are open now, including those of histories. */
  const open = new Set<Connection>();
  const counted = (connection: Connection): Connection => {
    const close = connection.close.bind(connection);
    connection.close = () => (open.delete(connection), close());
    open.add(connection);
    return connection;
  };
  const engine = { open: (...args: Parameters<typeof lab.engine.open>) => counted(lab.engine.open(...args)) };
  const histories = new Histories({ engine, pool: lab.pool, clock, settings });
  const databases = new OpenDatabases(
    {
      clock,
      monitor: new WorkMonitor(new WorkStatusBuffer(), clock, () => undefined),
      entryOf: (id) => ({ ...ENTRY, id, name: `Database ${id}` }),
      onChanges: () => undefined,
      onStateChanged: () => undefined,
      journal: histories.journalOf,
    },
    (id) => {
      if (started.refuseMemory())
        throw new AppError({ code: 'full', message: 'There is not enough memory for this.', sqlite: NO_MEMORY });
      return counted(lab.connect('full', `/db-${id}.sqlite3`));
    },
  );
  const window = (name: string): ClientWindow => {
    const made = new ClientWindow(name, () => undefined);
    made.introduce(`Window ${name}`);
    return made;
  };
  const one = window('1');
  const run = (id: string, sql: string, by = one): Promise<unknown> =>
    databases
      .of(by, id)
      .enqueue({ window: by, kind: 'write', title: sql, body: ({ connection }) => connection.run(sql) });
  const values = (id: string, sql = 'SELECT v FROM t', by = one): Promise<unknown> =>
    databases.of(by, id).enqueue({
      window: by,
      kind: 'read',
      title: sql,
      body: ({ connection }) => connection.all(sql).map(([value]) => value),
    });
  const make = async (id: string): Promise<void> => {
    databases.join(one, id);
    await run(id, 'CREATE TABLE t (id INTEGER PRIMARY KEY, v)');
    await run(id, "INSERT INTO t (v) VALUES ('one')");
  };
  const isOpen = (id: string): boolean => !databases.find(id)!.isResting;
  const refuseMemory = (): boolean => false;
  const started = { clock, databases, one, two: window('2'), open, run, values, make, isOpen, refuseMemory };
  return started;
}

export type StartedDatabases = ReturnType<typeof openDatabasesIn>;
