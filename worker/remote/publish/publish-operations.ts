// The operations that publish a local database to a database on a server.
import type { PublishOperations, PublishReply } from '#shared/protocol/publish.ts';
import { fail, AppError, inParts } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import type { Connection } from '../../engines/engine.ts';
import { unless, type BoundSql } from '../../engines/guarded-write.ts';
import { reading, writing } from '../../sessions/call-work.ts';
import { progressReporter } from '../../sessions/progress-reporter.ts';
import { quoteName } from '../../sql/quote.ts';
import { openSource, type OpenedSource } from '../../transfer/open-source.ts';
import { closeSource, keepSource, sourceOf } from '../../transfer/opened-sources.ts';
import type { RemoteSession } from '../remote-session.ts';
import { isCreate, type SentTable } from './begun.ts';
import { IS_OURS_SQL, plain, runAll } from './on-server.ts';
import { Publication } from './publication.ts';
import { planOf, type PublishPlan } from './source-plan.ts';
import { lookAtServer } from './try-plan.ts';

const MAX_NAMES = 20;
const publications = new WeakMap<OpenedSource, Publication>();

function publicationOf(session: RemoteSession, id: string): Publication {
  const publication = publications.get(sourceOf(session.window, id));
  if (publication) return publication;
  fail('invalid', 'The database on the server is not empty. Nothing was changed.');
}

export const publishHandlers: Handlers<PublishOperations, RemoteSession> = {
  async 'publish.preview'({ database: id, source: token }, call) {
    const { library, window, scratchStore } = call.session;
    const request = { source: { kind: 'file', token }, dialect: null, encoding: null, existing: [] } as const;
    const source = await openSource(library, scratchStore, window, request, call);
    const openedId = keepSource(window, source);
    try {
      const { connection: local } = source;
      local.onProgress(() => call.canceled);
      const plan = planOf(local);
      local.onProgress(null);
      const { objects, begun, tried } = await writing(call, id, 'Preparing to publish', ({ connection }) =>
        lookAtServer(connection, plan),
      );
      const occupiedBy = begun ? [] : objects.map(({ name }) => name).slice(0, MAX_NAMES);
      if (occupiedBy.length === 0) publications.set(source, new Publication(local, tried, objects));
      const count = (kind: string): number => tried.after.filter((definition) => definition.kind === kind).length;
      return {
        id: openedId,
        tables: tried.tables.map(({ name, rows, bytes }) => ({ name, rows, bytes })),
        ...{ indexes: count('index'), views: count('view'), triggers: count('trigger') },
        ...{ notPublished: tried.notPublished, occupiedBy, begun, notes: tried.notes },
      };
    } catch (error) {
      closeSource(window, openedId);
      throw error;
    }
  },

  async 'publish.find'({ database: id, id: openedId }, context) {
    const publication = publicationOf(context.session, openedId);
    const started = performance.now();
    const reply = await reading(context, id, 'Comparing what was published', (turn) =>
      publication.find(turn, progressReporter(context.emit)),
    );
    return { ...reply, timeMs: performance.now() - started };
  },

  async 'publish.run'({ database: id, id: openedId }, context) {
    const { session } = context;
    const publication = publicationOf(session, openedId);
    const { connection: source } = sourceOf(session.window, openedId);
    const started = performance.now();
    source.useCache(true);
    try {
      const reply = await writing(context, id, { title: 'Publishing', withoutUndo: true }, (turn) =>
        publication.run(turn, progressReporter(context.emit)),
      );
      return { ...(await settled(session, id, publication, reply)), timeMs: performance.now() - started };
    } finally {
      source.useCache(false);
    }
  },

  'publish.remove': async ({ database: id, id: openedId }, context) => {
    const publication = publicationOf(context.session, openedId);
    return writing(context, id, 'Removing what was published', function* (turn) {
      if (!publication.isFound) yield* publication.find(turn, () => undefined);
      return { tables: removePublished(turn.connection, publication) };
    });
  },

  'publish.close': ({ id }, { session }) => closeSource(session.window, id),
};

type Reply = Omit<PublishReply, 'timeMs'>;

/** After Stop or a lost reply, reads what the server has in separate work, which that Stop does not reach. */
async function settled(session: RemoteSession, id: string, publication: Publication, reply: Reply): Promise<Reply> {
  if (!publication.isUnsure) return reply;
  try {
    await session.database(id).enqueue({
      ...{ window: session.window, kind: 'read', title: 'Checking what was saved' },
      body: ({ connection }) => publication.look(connection),
    });
    return publication.refreshed(reply);
  } catch {
    return reply; // the server does not answer: the reply says what is unknown
  }
}

// Removes what a publication has made, and nothing else: all of it in one transaction, which begins with a look at whether it is still
// what was published.

/** Returns the number of tables. @throws AppError; nothing was removed then, unless it is unknown whether */
export function removePublished(connection: Connection, publication: Publication): number {
  if (publication.isUnsure) publication.look(connection);
  const { plan, tables, made } = publication;
  if (made === 'no') return 0;
  const guards = [onlyPublished(plan), ...tables.map(hasPublishedRows)];
  const drops = [
    ...plan.after
      .filter(({ kind }) => kind === 'view')
      .map(({ name }) => plain(`DROP VIEW IF EXISTS main.${quoteName(name)}`)),
    ...plan.before
      .filter(({ kind }) => kind === 'virtual')
      .map(({ name }) => plain(`DROP TABLE main.${quoteName(name)}`)),
    ...plan.before
      .filter(({ kind }) => kind === 'table')
      .map(({ name }) => plain(`DROP TABLE main.${quoteName(name)}`)),
    ...plan.after
      .filter(({ kind, table }) => kind === 'setting' && table === '')
      .map(({ name }) => plain(`PRAGMA main.${name} = 0`)),
  ];
  const ran = runAll(connection, [...guards, ...drops]);
  if (ran === null) {
    publication.forget();
    return plan.before.filter(({ kind }) => kind !== 'setting').length;
  }
  const failed = ran.findIndex((error) => error !== null);
  if (failed === 0) throw changed('Someone else has added or changed tables, views, indexes, or triggers');
  if (failed < guards.length) throw changed(`Someone else has changed the rows of “${tables[failed - 1]!.plan.name}”`);
  throw ran[failed] ?? changed('Someone else has changed the database');
}

/** Everything that is there is of the plan, by its name and text; tables that modules make for themselves, by their name. */
function onlyPublished({ before, after, shadows }: PublishPlan): BoundSql {
  const texts = [...before, ...after].filter(isCreate);
  const params: Value[] = [JSON.stringify(texts.map(({ name, sql }) => [name, sql])), JSON.stringify([...shadows])];
  return unless(
    `NOT EXISTS (SELECT 1 FROM main.sqlite_schema s WHERE s.${IS_OURS_SQL.replace(' AND name', ' AND s.name')}
       AND NOT EXISTS (SELECT 1 FROM temp.json_each(?) p WHERE p.value ->> 0 = s.name AND p.value ->> 1 = s.sql)
       AND NOT (s.type = 'table' AND s.name IN (SELECT value FROM temp.json_each(?))))`,
    params,
  );
}

const hasPublishedRows = ({ plan, saved }: SentTable): BoundSql =>
  unless(`(SELECT count(*) FROM main.${quoteName(plan.name)}) = ?`, [saved]);

const changed = (what: string): AppError =>
  AppError.conflict(
    inParts(
      `${what} on the server since this was published.`,
      'Nothing was removed. Remove there what you do not need.',
    ),
  );
