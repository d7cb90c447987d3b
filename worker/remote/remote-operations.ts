// The operations on a database on a server: those of files in place, without what a server cannot do, which is rejected with a sentence.
import { AppError, fail, toAppError } from '#shared/protocol/errors.ts';
import type { Operations } from '#shared/protocol/index.ts';
import type { Handlers, CallContext } from '#shared/rpc/server.ts';
import { reading, writing } from '../sessions/call-work.ts';
import { inPlaceHandlers } from '../native/in-place.ts';
import { previewImport } from '../import/preview.ts';
import { archivesElsewhere } from '../operations/archives.ts';
import { firstOf } from '../operations/import.ts';
import { queryHandlers } from '../operations/query.ts';
import { listObjects, schemaVersion } from '../schema/schema-objects.ts';
import { publishHandlers } from './publish/publish-operations.ts';
import type { RemoteSession } from './remote-session.ts';
import { canWrite, TRYING, WRITING } from './write-permission.ts';
import { editTitle, heldTitle } from '../query/edit-title.ts';

// The operations of undo for a database on a server, and the edits that it can undo.

type UndoOperation =
  | 'edit.apply'
  | 'edit.applyAll'
  | 'edit.applyMade'
  | 'cell.replaceRange'
  | 'cell.load'
  | `history.${Exclude<History, 'setLimits'>}`;
type History = keyof Operations extends infer K ? (K extends `history.${infer Name}` ? Name : never) : never;

const MAX_STEPS = 1000;
const ONE_BY_ONE = 'On a server, edits are undone one after the other, the newest first.';

const undoHandlers: Pick<Handlers<Operations, RemoteSession>, UndoOperation> = {
  'edit.apply'({ database, table, changes }, context) {
    const { session } = context;
    const title = editTitle(table, changes);
    return writing(context, database, title, ({ connection }) =>
      session.undo.apply(connection, { table, title, windowTitle: session.window.windowTitle }, changes),
    );
  },
  'edit.applyAll'({ database, changes }, context) {
    const { undo, window } = context.session;
    const title = heldTitle(changes);
    return writing(context, database, title, ({ connection }) =>
      undo.applyAll(connection, { title, windowTitle: window.windowTitle }, changes),
    );
  },
  async 'edit.applyMade'({ database, title, changes }, context) {
    const { undo, window } = context.session;
    await writing(context, database, title, ({ connection }) =>
      undo.applyMade(connection, { title, windowTitle: window.windowTitle }, changes),
    );
    return { rowsChanged: changes.length };
  },
  async 'cell.replaceRange'(params, context) {
    const reply = await inPlaceHandlers['cell.replaceRange'](params, context);
    noteLongValue(params.cell, context);
    return reply;
  },
  async 'cell.load'(params, context) {
    const reply = await inPlaceHandlers['cell.load'](params, context);
    noteLongValue(params.cell, context);
    return reply;
  },
  'history.list': ({ before, limit }, { session }) =>
    session.undo.list(before, Math.min(Math.max(limit, 1), MAX_STEPS)),
  'history.state': (_params, { session }) => session.undo.state,
  'history.rows': ({ step, start, count }, { session }) => session.undo.rows(step, start, Math.min(count, MAX_STEPS)),
  'history.undo': ({ database }, context) =>
    writing(context, database, 'Undo', ({ connection }) => context.session.undo.undo(connection)),
  'history.redo': ({ database }, context) =>
    writing(context, database, 'Redo', ({ connection }) => context.session.undo.redo(connection)),
  'history.undoTo': ({ database, step }, context) =>
    writing(context, database, 'Undo', ({ connection }) => context.session.undo.undoTo(connection, step)),
  'history.checkRevert': () => ({ why: ONE_BY_ONE }),
  'history.revert'() {
    fail('unavailable', ONE_BY_ONE);
  },
  'history.clear': (_params, { session }) => session.undo.clear(),
};

function noteLongValue(
  { table, column }: { readonly table: string; readonly column: string },
  { session }: Pick<CallContext<unknown, RemoteSession>, 'session'>,
): void {
  session.undo.noteLongValue({ title: `Edit ${column} in ${table}`, windowTitle: session.window.windowTitle });
}

type RemoteHandlers = Handlers<Operations, RemoteSession>;

const reject = (message: string) => (): never => {
  fail('unavailable', message);
};

const noBytes = reject(
  'A server provides rows, not the bytes of its file. Copy the database into the library, and use the copy.',
);
const noCheck = reject(
  'Clients cannot check the files of a server. Copy the database into the library, and check the copy.',
);
const noPatch = reject('A server does not report which rows a commit has changed, so there are no patches of them.');
const noLimits = reject('What can be undone on a server is kept in memory, with limits of its own.');
const noDryRun = reject(
  'A dry run keeps a transaction open while you look at it, which servers do not allow for long, or at all. Copy the database into the library, and try the statements there.',
);
const noGuard = reject('Assistants are given files, not servers. Copy the database into a file first.');
const NO_PAGES = {
  code: 'unavailable',
  message:
    'This server does not say how the database is stored. Copy the database into the library, and examine the copy.',
} as const;
const serverDecides = reject('The server decides when commits are on its disk. Nothing was changed.');

const base: RemoteHandlers = { ...inPlaceHandlers, ...archivesElsewhere, ...undoHandlers, ...publishHandlers };

/** The same operations, each of which asks first where that is required, or may try out what it rolls back. */
function asking(): Partial<RemoteHandlers> {
  const within = <K extends keyof Operations>(op: K, begin: (session: RemoteSession) => () => void) => {
    const run = base[op] as RemoteHandlers[K];
    const asked: RemoteHandlers[K] = (async (params: never, context: never) => {
      const ended = begin((context as { readonly session: RemoteSession }).session);
      try {
        return await run(params, context);
      } finally {
        ended();
      }
    }) as RemoteHandlers[K];
    return { [op]: asked } as Partial<RemoteHandlers>;
  };
  return Object.assign(
    {},
    ...WRITING.map((op) => within(op, (session) => session.beginWriting())),
    ...TRYING.map((op) => within(op, (session) => session.beginTrying())),
  ) as Partial<RemoteHandlers>;
}

export const remoteHandlers: RemoteHandlers = {
  ...base,
  ...asking(),

  async 'query.run'(params, context) {
    const { session } = context;
    if (session.asksBeforeWriting) {
      const writes = await reading(context, params.database, 'Preparing statements', ({ connection }) =>
        canWrite(connection, params.sql),
      );
      if (writes) session.assertMayWrite();
      // A statement that writes nevertheless, after an error or a change of the schema, is stopped by the connection.
      else return queryHandlers['query.run'](params, context);
    }
    const ended = session.beginWriting();
    try {
      return await queryHandlers['query.run'](params, context);
    } finally {
      ended();
    }
  },

  // Reads no estimates: each would be a round trip, and the rows it reads may be billed.
  'schema.get': ({ database }, context) =>
    reading(context, database, 'Reading the schema', function* (turn) {
      return { objects: yield* listObjects(turn, false), schemaVersion: schemaVersion(turn.connection) };
    }),

  // The rows are tried here: on the server each would be a round trip, and others could not write in the meantime.
  async 'import.preview'({ database: id, plan, maxRecords }, context) {
    const attempt = await firstOf(context.session.library.files, { plan, maxRecords }, context.onCancel);
    const near = await context.session.scratch();
    try {
      return await reading(context, id, `Preview of ${attempt.fileName}`, ({ connection }) =>
        previewImport(connection, attempt, { near: near.connection }),
      );
    } finally {
      near.dispose();
    }
  },

  // Cloudflare D1 refuses the pragmas that count pages.
  async 'health.overview'(params, context) {
    try {
      return await base['health.overview'](params, context);
    } catch (thrown) {
      throw toAppError(thrown).code === 'unavailable' ? new AppError(NO_PAGES) : thrown;
    }
  },

  'database.allowWriting': ({ untilMs }, { session }) => session.allowWriting(untilMs),

  async 'remote.keepTransaction'({ database }, context) {
    await reading(
      context,
      database,
      'Keeping the transaction open',
      ({ connection }) => connection.autocommit || connection.one('SELECT 1'),
    );
  },

  'database.check': noCheck,
  'library.export': noBytes,
  'benchmark.databaseFile': noBytes,
  'library.setDurability': serverDecides,
  'compare.openComparisonCopy': noBytes,
  'guarded.schema': noGuard,
  'guarded.query': noGuard,
  'guarded.try': noGuard,
  'dryRun.start': noDryRun,
  'dryRun.updates': noDryRun,
  'history.setLimits': noLimits,
  'patch.export': noPatch,
  'patch.apply': noPatch,
  'cell.past': noPatch,
};
