// Walks all declared operations: on a server each one reads, asks before it writes, or is rejected with a sentence.
import { expect, it, vi } from 'vitest';
import { AppError } from '#shared/protocol/errors.ts';
import { remoteHandlers } from './remote-operations.ts';
import { TRYING, WRITING } from './write-permission.ts';

/** Operations that change nothing on the server. Verify this before adding one here. */
const READING: ReadonlySet<string> = new Set([
  'session.begin', 'session.show', 'database.open', 'database.close', 'database.file', 'database.allowWriting', 'database.attach', 'database.detach', 'remote.keepTransaction', 'source.state',
  'schema.get', 'schema.table', 'schema.columns', 'schema.added', 'schema.diagram', 'schema.countRelation', 'schema.text', 'schema.textOfFile', 'schema.try',
  'sampleRows.suggest', 'comparison.rows', 'comparison.changes', 'comparison.save', 'comparison.end',
  'rows.open', 'rows.cost', 'rows.read', 'rows.arrange', 'rows.containing', 'rows.close', 'rows.find', 'rows.watch', 'live.open', 'live.set', 'live.counters',
  'cell.read', 'cell.readAt', 'cell.readRange', 'cell.save', 'cell.convertJson', 'chart.columns', 'chart.read', 'chart.extremes',
  'edit.columns', 'edit.findKey', 'edit.check', 'query.plan', 'query.check',
  'compare.mark', 'compare.hashes', 'compare.find', 'compare.facts', 'compare.closeComparisonCopy',
  'export.formats', 'export.file', 'export.folder', 'export.bytes', 'export.text', 'health.mark', 'health.overview', 'health.sizes',
  'indexLab.try', 'indexLab.measure', 'search.run', 'column.profile', 'parent.search', 'parent.names', 'dryRun.rows', 'dryRun.finish',
  'import.detect', 'import.analyze', 'import.preview', 'import.problems', 'import.end', 'transfer.open', 'transfer.close', 'publish.find', 'publish.close',
  'results.compare', 'results.differences', 'diff.write', 'merge.write', 'health.check',
  'history.list', 'history.state', 'history.rows', 'history.checkRevert', 'history.clear',
]); // prettier-ignore
/** They run what the person has written, and so may write: the connection asks before the first statement that does. */
const RUNNING: ReadonlySet<string> = new Set(['query.run', 'compare.run', 'compare.time']);

type AnyHandler = (params: unknown, context: unknown) => unknown;
const handlers = Object.entries(remoteHandlers as unknown as Readonly<Record<string, AnyHandler>>);

const ASKING: readonly string[] = [...WRITING, ...TRYING];

/** Fails at whatever is asked of it. */
const nothing = new Proxy(
  {},
  {
    get(_target, name) {
      throw new TypeError(`“${String(name)}” was asked for.`);
    },
  },
);

async function outcomeOf(handler: AnyHandler, context: unknown): Promise<unknown> {
  try {
    return await handler(nothing, context);
  } catch (error) {
    return error;
  }
}

it('knows no operation that is gone', () => {
  const ops = new Set(handlers.map(([op]) => op));
  expect([...READING, ...RUNNING, ...ASKING].filter((op) => !ops.has(op))).toEqual([]);
});

it('every operation reads, asks before it writes, or is rejected', async () => {
  const unknown: string[] = [];
  for (const [op, handler] of handlers) {
    if (READING.has(op) || RUNNING.has(op) || ASKING.includes(op)) continue;
    const outcome = await outcomeOf(handler, nothing);
    if (!(outcome instanceof AppError && outcome.code === 'unavailable')) unknown.push(op);
  }
  expect(unknown).toEqual([]);
});

it.each(WRITING)('%s begins with the question, and tells when it has ended', async (op) => {
  const handler = remoteHandlers[op] as unknown as AnyHandler;
  const mayWrite = new AppError({ code: 'refused', message: 'Asked.' });
  const refusing = {
    beginWriting() {
      throw mayWrite;
    },
  };
  expect(await outcomeOf(handler, { session: refusing })).toBe(mayWrite);
  const ended = vi.fn();
  expect(await outcomeOf(handler, { session: { beginWriting: () => ended } })).toBeInstanceOf(Error);
  expect(ended).toHaveBeenCalledOnce();
});
