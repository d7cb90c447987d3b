// Asks the server which definitions it takes: all of them are run there in one transaction, which is rolled back.
import { AppError, inParts, whatHappened } from '#shared/protocol/errors.ts';
import type { NotPublished } from '#shared/protocol/publish.ts';
import type { Connection } from '../../engines/engine.ts';
import type { BoundSql } from '../../engines/guarded-write.ts';
import { isBegun, isCreate, isOfPlan } from './begun.ts';
import { objectsOnServer, plain, tryAll, type Ran, type ServerObject } from './on-server.ts';
import { without, type Definition, type PlannedTable, type PublishPlan } from './source-plan.ts';

/** Bytes that SQLite adds to the values of a row: its header, at most nine bytes for each column. */
const HEADER_BYTES = 9;
/** Every server takes rows of this size. */
const SMALL_BYTES = 1 << 19;

interface AtServer {
  readonly objects: readonly ServerObject[];
  /** Whether these are of a publication of the same tables. */
  readonly begun: boolean;
  readonly tried: PublishPlan;
}

/** Reads what is on the server, and which part of the plan it takes. @throws AppError */
export function lookAtServer(connection: Connection, plan: PublishPlan): AtServer {
  for (let objects = objectsOnServer(connection); ;) {
    if (!isOfPlan(plan, objects)) return { objects, begun: false, tried: plan };
    const tried = triedPlan(connection, plan, objects);
    // The trial has waited for transactions of others, one of which may have been that of the previous process.
    const now = objectsOnServer(connection);
    if (now.length === objects.length) return { objects, begun: isBegun(tried, objects), tried };
    objects = now;
  }
}

/**
 * The part of the plan that the server takes.
 * @param begun what an earlier process has made of it; what comes after the rows is not tried then, because it would go over all of them
 * @throws AppError
 */
function triedPlan(connection: Connection, plan: PublishPlan, begun: readonly ServerObject[] = []): PublishPlan {
  const large = plan.tables.filter(({ largestRowBytes }) => largestRowBytes > SMALL_BYTES);
  const tooLarge = leftBySize(large, tryAll(connection, large.map(asksForSize)));
  const left = new Set(tooLarge.map(({ name }) => name));
  const fits = without(plan, left);
  const names = new Set(begun.map(({ name }) => name));
  const isNew = begun.length === 0;
  const definitions = isNew
    ? [...fits.before, ...fits.after]
    : fits.before.filter((one) => isCreate(one) && !names.has(one.name));
  // Something is always tried: the transaction waits for one of an earlier process that is still open.
  const ran = tryAll(connection, [...definitions.map(({ sql }) => sql), 'SELECT 1'].map(plain));
  const rejected = definitions.flatMap((definition, at) => notTaken(definition, ran[at]));
  const gone = new Set(rejected.filter(({ kind }) => kind === 'table' || kind === 'virtual').map(({ name }) => name));
  const isRejected = new Set(definitions.filter((_, at) => ran[at] !== null));
  const taken = without(fits, gone);
  const onlyTaken = (some: readonly Definition[]): readonly Definition[] => some.filter((one) => !isRejected.has(one));
  const isTold = new Set<string>();
  return {
    ...taken,
    before: onlyTaken(taken.before),
    after: onlyTaken(taken.after),
    notPublished: [...plan.notPublished, ...tooLarge, ...rejected].filter(({ kind, name }) => {
      const key = `${kind} ${name}`;
      return !isTold.has(key) && isTold.add(key);
    }),
  };
}

/** A blob that exists nowhere: the server only compares its size with its limit. */
const asksForSize = ({ largestRowBytes, columns }: PlannedTable): BoundSql => ({
  sql: 'SELECT length(zeroblob(?))',
  params: [largestRowBytes + HEADER_BYTES * columns.length],
});

function leftBySize(tables: readonly PlannedTable[], ran: readonly Ran[]): readonly NotPublished[] {
  return tables.flatMap(({ name, largestRowBytes }, at) => {
    if (ran[at] === null) return [];
    const size = `${(largestRowBytes / 1e6).toFixed(1)} MB`;
    return [
      { kind: 'table' as const, name, reason: `It has a row of ${size}, which is more than the server accepts.` },
    ];
  });
}

function notTaken({ kind, name }: Definition, ran: Ran): readonly NotPublished[] {
  if (ran === null) return [];
  const why = ran === undefined ? 'It was not tried.' : `The server reports: ${whatHappened(ran)}`;
  return [{ kind, name, reason: /[.!?]$/.test(why) ? why : `${why}.` }];
}

export const notEmpty = (names: readonly string[]): AppError =>
  AppError.exists(
    inParts(
      `The database on the server is not empty. It has ${names
        .slice(0, 3)
        .map((name) => `“${name}”`)
        .join(', ')}${names.length > 3 ? ', …' : ''}.`,
      'Nothing was changed.',
    ),
  );
