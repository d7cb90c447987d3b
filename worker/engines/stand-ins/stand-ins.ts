// The stand-ins of the databases of one process: compiled before a database is opened, because its connection
// cannot wait.
import { AppError, toAppError } from '#shared/protocol/errors.ts';
import type { DatabaseId } from '#shared/protocol/database-id.ts';
import { MOST_STAND_INS, STAND_IN, type StandIn } from '#shared/stand-ins.ts';
import * as v from 'valibot';
import type { PreparedStandIn } from './define.ts';
import type { Sandbox } from './sandbox.ts';

interface Prepared {
  readonly text: string;
  readonly sandbox: Sandbox | null;
  readonly all: readonly PreparedStandIn[];
}

export class StandIns {
  readonly #prepared = new Map<DatabaseId, Prepared>();

  /** Call before the database is opened; connections from then on have these. @throws AppError `invalid` */
  async prepare(database: DatabaseId, standIns: readonly StandIn[] = []): Promise<void> {
    if (standIns.length === 0) return void this.#prepared.delete(database);
    const text = JSON.stringify(standIns);
    const before = this.#prepared.get(database);
    if (before?.text === text && before.sandbox?.isBroken !== true) return;
    if (!v.is(v.pipe(v.array(STAND_IN), v.maxLength(MOST_STAND_INS)), standIns))
      throw AppError.invalid('These functions cannot be defined.');
    this.#prepared.set(database, { text, ...(await compileAll(standIns)) });
  }

  of(database: DatabaseId): readonly PreparedStandIn[] {
    return this.#prepared.get(database)?.all ?? [];
  }
}

async function compileAll(standIns: readonly StandIn[]): Promise<Omit<Prepared, 'text'>> {
  try {
    // QuickJS has 590 KB, which a database without stand-ins does without.
    const { createSandbox } = await import('./sandbox.ts');
    const sandbox = await createSandbox();
    const all = standIns.map((standIn): PreparedStandIn => {
      try {
        return { standIn, code: sandbox.compile(standIn) };
      } catch (thrown) {
        return { standIn, why: toAppError(thrown).message };
      }
    });
    return { sandbox, all };
  } catch (thrown) {
    const why = `JavaScript cannot be run here: ${toAppError(thrown).message}`;
    return { sandbox: null, all: standIns.map((standIn) => ({ standIn, why })) };
  }
}
