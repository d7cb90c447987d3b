// Texts of the dialog.
import { isD1 } from '#shared/protocol/index.ts';
import type {
  NotPublished,
  PublishedTable,
  PublishPreview,
  PublishReply,
  RemoteConnection,
} from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { formatBytes, plural } from '../../ui/format.ts';

const KINDS: Readonly<Record<NotPublished['kind'], string>> = {
  table: 'table',
  virtual: 'virtual table',
  index: 'index',
  view: 'view',
  trigger: 'trigger',
  setting: 'setting',
};

type Target = Pick<RemoteConnection, 'readOnly' | 'production' | 'address'>;

export const isPossibleTarget = ({ readOnly, address }: Target): boolean => !readOnly && !isD1(address);

export function connectionNote({ readOnly, production, address }: Target): string {
  if (isD1(address)) return 'Cloudflare D1: cannot be published to, because it has no transactions across requests';
  if (readOnly) return 'read-only: cannot be published to';
  return production ? 'production: asks before writing' : '';
}

/** “3 tables with 1,204 rows (1.2 MB), 2 indexes, 1 view” */
export function contentsText({ tables, indexes, views, triggers }: PublishPreview): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = tables.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
  const isWhole = tables.every((table) => table.bytes !== null);
  const size = `${isWhole ? '' : 'at least '}${formatBytes(bytes)}`;
  const parts = [`${plural(tables.length, 'table')} with ${plural(rows, 'row')} (${size} of values)`];
  if (indexes > 0) parts.push(plural(indexes, 'index', 'indexes'));
  if (views > 0) parts.push(plural(views, 'view'));
  if (triggers > 0) parts.push(plural(triggers, 'trigger'));
  return parts.join(', ');
}

export const notPublishedText = ({ kind, name, reason }: NotPublished): string =>
  `The ${KINDS[kind]} “${visibleName(name)}”. ${reason}`;

export function occupiedText({ occupiedBy }: PublishPreview): string {
  const names = occupiedBy.slice(0, 5).map((name) => `“${visibleName(name)}”`);
  return `The database on the server is not empty: it has ${names.join(', ')}${occupiedBy.length > 5 ? ', and more' : ''}. A database is published only to an empty one. Nothing was changed.`;
}

/** Text about a publication that ended without its dialog: with the app, for example. */
export const begunText = (preview: PublishPreview): string =>
  `The database on the server already has the tables of this one, as after a publication that did not finish. To continue it or to remove it, the rows on the server are first read and compared with these: ${contentsText(preview)}.`;

export const isSame = ({ digest, rows, onServer }: PublishedTable): boolean =>
  onServer !== null && onServer.rows === rows && onServer.digest === digest;

export function tableText(table: PublishedTable): string {
  const { rows, saved, unsure, onServer } = table;
  if (onServer !== null) {
    if (isSame(table)) return 'the same';
    return onServer.rows === rows ? 'different values' : `${plural(onServer.rows, 'row')} on the server`;
  }
  if (unsure > 0) return `${plural(saved, 'row')} saved, unknown for ${plural(unsure, 'more', 'more')}`;
  return saved === rows ? 'saved, not compared' : `${plural(saved, 'row')} saved`;
}

/** The sentence above the report. */
export function outcomeText(reply: PublishReply, name: string): string {
  const { outcome, why, tables, notPublished } = reply;
  const rows = tables.reduce((sum, { saved }) => sum + saved, 0);
  if (outcome === 'done') {
    const different = tables.filter((table) => !isSame(table)).length;
    if (different > 0)
      return `Everything was sent to “${name}”, but ${plural(different, 'table')} read back from it ${different === 1 ? 'is' : 'are'} different: someone else may have changed ${different === 1 ? 'it' : 'them'} in the meantime.`;
    const rest = notPublished.length > 0 ? ' Some objects were left out.' : '';
    return `Published to “${name}”: ${plural(rows, 'row')} read back from the server, the same in number and value.${rest}`;
  }
  return `${why} ${thereText(reply)}`.trimStart();
}

/** Contents of the server after a failure. */
function thereText({ tables, hasTables }: PublishReply): string {
  if (hasTables === 'unsure') return 'It is unknown whether the tables were created on the server.';
  if (hasTables === 'no') return 'Nothing is on the server.';
  const rows = tables.reduce((sum, { saved }) => sum + saved, 0);
  const unsure = tables.reduce((sum, table) => sum + table.unsure, 0);
  const more = unsure > 0 ? ` It is unknown whether ${plural(unsure, 'more row was', 'more rows were')} saved.` : '';
  return `The server now has ${plural(tables.length, 'table')} with ${plural(rows, 'row')}.${more}`;
}
