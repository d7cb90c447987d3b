// Removes what a publication has made, and nothing else: all of it in one transaction, which begins with a look at whether it is still
// what was published.
import { AppError, inParts } from '#shared/protocol/errors.ts';
import type { Value } from '#shared/protocol/values.ts';
import type { Connection } from '../../engines/engine.ts';
import type { BoundSql } from '../../engines/guarded-write.ts';
import { quoteName } from '../../sql/quote.ts';
import { isCreate } from './begun.ts';
import { unless } from '../../engines/guarded-write.ts';
import { IS_OURS_SQL, plain, runAll } from './on-server.ts';
import type { Publication } from './publication.ts';
import type { SentTable } from './sent-table.ts';
import type { PublishPlan } from './source-plan.ts';

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
       AND NOT EXISTS (SELECT 1 FROM json_each(?) p WHERE p.value ->> 0 = s.name AND p.value ->> 1 = s.sql)
       AND NOT (s.type = 'table' AND s.name IN (SELECT value FROM json_each(?))))`,
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
