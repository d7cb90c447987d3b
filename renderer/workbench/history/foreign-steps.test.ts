// Which steps of the history Undo in the front tab acts on without a question.
import { beforeAll, expect, test, vi } from 'vitest';
import type { HistoryStep } from '#shared/protocol/index.ts';
import type { Tab } from '../../state/slices/tabs.ts';

const engine = vi.hoisted(() => ({ steps: [] as { readonly id: number }[], asked: [] as string[] }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onReconnected: () => undefined,
    async call(operation: string) {
      engine.asked.push(operation);
      if (operation === 'history.state') return { undo: { step: engine.steps[0]!.id }, redo: null };
      if (operation === 'history.list') return { steps: engine.steps, more: false };
      if (operation === 'history.undo') return engine.steps[0];
      return { isOn: false, interruptedAt: null, undone: 0, renames: 0, steps: [] };
    },
  },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: { windowInfo: async () => ({ windowTitle: '' }) } }));

vi.mock('../../state/schema.ts', async (original) => {
  const object = (kind: string, name: string, tableName: string, sql: string): object => ({
    kind,
    name,
    tableName,
    sql,
  });
  const objects = [
    object('view', 'songs', 'songs', 'CREATE VIEW songs AS SELECT id, Name FROM Track'),
    object('view', 'hits', 'hits', 'CREATE VIEW hits AS SELECT * FROM songs'),
    object(
      'trigger',
      'rename',
      'hits',
      'CREATE TRIGGER rename INSTEAD OF UPDATE ON hits BEGIN UPDATE names SET n = 1; END',
    ),
  ];
  return { ...(await original<object>()), knownObjects: () => objects };
});

const { foreignStep } = await import('./foreign-steps.ts');
const { undoOrRedo } = await import('./history.ts');
const { registerTabKinds } = await import('../../state/tab-kinds.ts');
const { useStore } = await import('../../state/store.ts');

const tab = (id: string, rest: object): Tab => ({ id, database: 'd', ...rest }) as Tab;
const TRACK = tab('track', { kind: 'table', table: 'Track' });
const FORM = tab('form', { kind: 'form', table: 'Track' });
const QUERY = tab('query', { kind: 'query', title: 'Query 2', sql: 'CREATE TABLE z1(a);\nUPDATE Track SET Name = 1' });
const OTHER_QUERY = tab('query 3', { kind: 'query', title: 'Query 3', sql: 'SELECT * FROM track' });
const VIEW = tab('hits', { kind: 'table', table: 'hits' });
const VIEW_QUERY = tab('query 4', { kind: 'query', title: 'Query 4', sql: 'SELECT * FROM hits' });
const DIAGRAM = tab('diagram', { kind: 'diagram' });
const TABS = [TRACK, FORM, QUERY, OTHER_QUERY, DIAGRAM];

const step = (title: string, sql: string | null, ...tables: string[]): HistoryStep => ({
  id: 7,
  kind: 'rows',
  atMs: 0,
  title,
  sql,
  windowTitle: '',
  run: 0,
  tables: tables.map((table) => ({ table, inserted: 0, updated: 1, deleted: 0 })),
  state: 'done',
  sizeBytes: 0,
  why: null,
});
const EDIT = step('Edit Name in Track', null, 'Track');
const ALBUM_EDIT = step('Edit Title in Album', null, 'Album');
const CASCADE = step('Delete 1 row of Album', null, 'Album', 'Track');
const CREATE = step('CREATE TABLE z1(a)', 'CREATE TABLE z1(a)');
const SCRIPT = step('UPDATE Track SET Name = 1', 'UPDATE Track SET Name = 1', 'Track');
const RENAME = step('Rename table', 'ALTER TABLE Tracks RENAME TO Track');
const RELOAD: HistoryStep = { ...step('Reload from notes.db', null), kind: 'snapshot' };
const NAMELESS = step('Import', '', 'z2');

beforeAll(() =>
  registerTabKinds(
    ['table', 'form', 'query', 'diagram'].map(
      (kind) => ({ kind, title: (one: { table?: string; title?: string }) => one.title ?? one.table }) as never,
    ),
  ),
);

test.each([
  ['an edit of the table', EDIT, TRACK, false],
  ['an edit of the table, seen from its form', EDIT, FORM, false],
  ['an edit in a result of the table', EDIT, OTHER_QUERY, false],
  ['rows of the table that a cascade deleted', CASCADE, TRACK, false],
  ['a change of the definition of the table', RENAME, TRACK, false],
  ['a script in the tab that ran it', CREATE, QUERY, false],
  ['a change of the whole database', RELOAD, TRACK, false],
  ['anything, where no rows are shown', CREATE, DIAGRAM, false],
  ['an edit of a table behind a view', EDIT, VIEW, false],
  ['what the trigger of a view changed', step('Edit Name in hits', null, 'names'), VIEW, false],
  ['an edit in a result of a view', EDIT, VIEW_QUERY, false],
  ['an edit of another table', ALBUM_EDIT, TRACK, true],
  ['an edit of a table that is not behind the view', ALBUM_EDIT, VIEW, true],
  ['an edit of a table that the SQL does not name', ALBUM_EDIT, OTHER_QUERY, true],
  ['a script of another tab', CREATE, TRACK, true],
  ['a script of another tab that changed the table, too', SCRIPT, TRACK, true],
  ['a script of another SQL tab', SCRIPT, OTHER_QUERY, true],
  ['an import into another table', NAMELESS, TRACK, true],
] as const)('%s: asked about: $3', (_what, made, front, isAsked) => {
  expect(foreignStep(made, front, TABS) !== null).toBe(isAsked);
});

test('Undo asks, names the tab, and does nothing when canceled, however many presses waited', async () => {
  useStore.setState({ openDatabases: { d: {} } as never, tabs: TABS, activeTabId: TRACK.id });
  engine.steps = [CREATE];
  undoOrRedo('undo', 'd');
  undoOrRedo('undo', 'd');
  await vi.waitFor(() => expect(useStore.getState().questions).toHaveLength(1));
  expect(useStore.getState().questions[0]).toMatchObject({
    title: 'Undo “CREATE TABLE z1(a)” from Query 2?',
    danger: true,
  });
  answer(false);
  // The next press is one that follows the answer, not one that waited for it.
  await new Promise((resolve) => setTimeout(resolve));
  undoOrRedo('undo', 'd');
  await vi.waitFor(() => expect(useStore.getState().questions).toHaveLength(1));
  expect(engine.asked).not.toContain('history.undo');
  answer(true);
  await vi.waitFor(() => expect(engine.asked.filter((operation) => operation === 'history.undo')).toHaveLength(1));
});

test('an answer is about the step that the question named, not about a newer one', async () => {
  useStore.setState({ openDatabases: { d: {} } as never, tabs: TABS, activeTabId: TRACK.id });
  engine.steps = [CREATE];
  engine.asked = [];
  undoOrRedo('undo', 'd');
  await vi.waitFor(() => expect(useStore.getState().questions).toHaveLength(1));
  engine.steps = [{ ...ALBUM_EDIT, id: 8 }];
  answer(true);
  await vi.waitFor(() => expect(useStore.getState().questions[0]?.title).toBe('Undo “Edit Title in Album”?'));
  expect(engine.asked).not.toContain('history.undo');
  answer(true);
  await vi.waitFor(() => expect(engine.asked).toContain('history.undo'));
});

function answer(is: boolean): void {
  (useStore.getState().questions[0] as { answer(is: boolean): void }).answer(is);
}
