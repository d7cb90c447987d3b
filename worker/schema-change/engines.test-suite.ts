// For tests: empty databases of both engines, which cost next to nothing to make.
import { join } from 'node:path';
import { toAppError } from '#shared/protocol/errors.ts';
import { sampleEngines } from '../engines/sample-engines.test-suite.ts';
import type { Connection } from '../engines/engine.ts';
import type { BoundSql, StatementOutcome } from '../engines/guarded-write.ts';
import { createNativeEngine } from '../engines/native/native-engine.ts';
import { copySchema } from '../engines/remote/schema/schema-copy.ts';
import { memoryFolder } from '../engines/memory-folder.test-suite.ts';
import { createWasmEngine, IN_MEMORY } from '../engines/wasm/wasm-engine.ts';
import type { Pause, Turn } from '../sessions/session.ts';

export interface TestEngine {
  readonly name: string;
  open(): Connection;
}

const wasm = (await createWasmEngine()).engine;
const native = await createNativeEngine();

const options = { durability: 'balanced', create: true } as const;

export const testEngines: readonly TestEngine[] = [
  { name: 'wasm', open: () => wasm.open(IN_MEMORY, options) },
  { name: 'native', open: () => native.open(join(memoryFolder(), 'file.db'), options) },
];

sampleEngines(['wasm', 'native']);

/** A file that is changed as a database on a server is: several statements are one request, and its schema is at hand without its rows. */
export const asOnServer: TestEngine = {
  name: 'native, in one request',
  open() {
    const connection = testEngines[1]!.open();
    return Object.assign(connection, {
      runInTransaction: (statements: readonly BoundSql[], goOn: boolean) => runEach(connection, statements, goOn),
      openNear: () => copySchema(connection, testEngines[1]!.open()),
    } satisfies Partial<Connection>);
  },
};

function runEach(connection: Connection, statements: readonly BoundSql[], goOn: boolean): readonly StatementOutcome[] {
  let failed = false;
  return statements.map(({ sql, params }): StatementOutcome => {
    if (failed && !goOn) return { kind: 'not-reached' };
    try {
      return { kind: 'ran', row: connection.one(sql, params) };
    } catch (error) {
      failed = true;
      return { kind: 'failed', error: toAppError(error) };
    }
  });
}

/** A turn without a deadline. */
export function endlessTurn(connection: Connection): Turn {
  const turn = { connection, deadlineMs: Infinity, stopRequested: false, measureBy: () => undefined };
  return turn as unknown as Turn;
}

/** Runs it to its end. */
export function finish<T>(steps: Generator<Pause, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
