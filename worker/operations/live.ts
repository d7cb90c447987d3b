// Operations on rows that stay in step with the database.
import { fail } from '#shared/protocol/errors.ts';
import type { LiveOperations } from '#shared/protocol/live.ts';
import type { ReaderId } from '#shared/protocol/rows.ts';
import type { Handlers } from '#shared/rpc/server.ts';
import { reading } from '../sessions/call-work.ts';
import { liveCountersOf, readerInfo, readersOf } from '../live/reader-registry.ts';
import { planSelect } from '../live/select.ts';
import { SpooledReader } from '../readers/spooled-reader.ts';
import type { OperationSession, WindowSession } from '../sessions/session.ts';
import { MAX_PAGE_ROWS, checkRange } from './rows.ts';
import { statementTitle } from '../sql/statement-title.ts';

export const liveHandlers: Handlers<LiveOperations, OperationSession> = {
  async 'rows.watch'({ reader, range }, { session }) {
    const watch = readersOf(session.window).watchOf(reader);
    if (range) {
      checkRange(range);
      return watch.start({ start: range.start, count: Math.min(range.count, MAX_PAGE_ROWS) });
    }
    watch.end();
    return null;
  },

  async 'live.open'({ database: id, sql, params, limitMs }, context) {
    const { window } = context.session;
    const database = context.session.database(id);
    const title = statementTitle(sql);
    const { query, layout } = await reading(context, id, title, ({ connection }) =>
      planSelect(connection, sql, params),
    );
    const readers = readersOf(window);
    const { id: readerId, reader } = readers.add(
      database,
      (host) => new SpooledReader(host, layout, { title, query, state: 'live', limitMs, whenStopped: 'paused' }),
    );
    context.onCancel(() => readers.close(readerId));
    try {
      await reader.open();
    } catch (error) {
      readers.close(readerId);
      throw error;
    }
    return readerInfo(readerId, reader);
  },

  async 'live.set'({ reader: id, action, limitMs }, { session }) {
    const reader = spooledReader(session.window, id);
    if (action === 'start') await reader.follow(limitMs);
    else if (action === 'pause') reader.pause();
    else await reader.refresh();
    return { reader: id, ...reader.status };
  },

  'live.counters': ({ database }, { session }) => liveCountersOf(session.database(database)),
};

function spooledReader(window: WindowSession, id: ReaderId): SpooledReader {
  const reader = readersOf(window).get(id);
  if (reader instanceof SpooledReader) return reader;
  fail('invalid', 'A table follows every change automatically.');
}
