import { expect, test, vi } from 'vitest';
import type { SavedQuery } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { openSavedQuery, queryWithShortcut } from './saved-queries.ts';

const { started, opened } = vi.hoisted(() => ({ started: [] as string[], opened: [] as string[] }));
vi.mock('../../connection/database-client.ts', () => ({ client: {} }));
vi.mock('../../state/databases.ts', () => ({ notifyFailure: () => undefined, openDatabase: async () => true }));
vi.mock('../commands/focus-content.ts', () => ({ focusContent: () => undefined }));
vi.mock('./insert-target.ts', () => ({ insertText: () => false }));
vi.mock('../tabs/query.ts', () => ({ openQuery: (database: string) => `tab ${opened.push(database)}` }));
vi.mock('./start-requests.ts', () => ({ requestStart: () => started.push(opened.at(-1)!) }));

const query = (database: string | null): SavedQuery => ({
  id: 'q',
  name: 'Clean up',
  folder: '',
  tags: [],
  kind: 'query',
  database,
  sql: 'DELETE FROM log',
  shortcut: null,
  savedAtMs: 0,
});

test('a saved query runs in its own database, or in the current one if it is for all, and in no other', async () => {
  useStore.setState({
    entries: [{ id: 'own' }, { id: 'current' }] as unknown as ReturnType<typeof useStore.getState>['entries'],
    currentDatabase: 'current',
  });
  await openSavedQuery(query('own'), true);
  await openSavedQuery(query(null), true);
  expect(started).toEqual(['own', 'current']);
  await openSavedQuery(query('gone'), true);
  expect(opened).toEqual(['own', 'current', 'current']);
  expect(started).toEqual(['own', 'current']);
});

test('a shortcut means the query of the current database before the one for all', () => {
  const queries = [null, 'own', 'other'].map((database) => ({ ...query(database), shortcut: 3 }));
  const used = (current: string | null): string | null | undefined => queryWithShortcut(queries, 3, current)?.database;
  expect([used('own'), used('third'), used(null)]).toEqual(['own', null, null]);
  expect(queryWithShortcut(queries, 4, 'own')).toBeUndefined();
});
