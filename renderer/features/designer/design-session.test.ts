import { Text } from '@codemirror/state';
import { beforeEach, expect, test, vi } from 'vitest';
import type { DesignTab } from '../../workbench/tabs/design.ts';

const engine = vi.hoisted(() => ({ asked: [] as string[], made: (_report: object): void => undefined }));
vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onReconnected: () => () => undefined,
    call(operation: string) {
      engine.asked.push(operation);
      if (operation === 'schema.change') return new Promise((resolve) => (engine.made = resolve));
      return Promise.resolve({ isOn: false, interruptedAt: null, undone: 0, renames: 0, steps: [], objects: [] });
    },
  },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: { windowInfo: async () => ({ windowTitle: '' }) } }));
// An editor needs a page.
vi.mock('../../workbench/text/tab-editor.ts', () => ({
  TabEditor: class {
    readonly state = { doc: Text.of(['CREATE TABLE a (b)']) };
    dispose(): void {}
  },
}));

const { useStore } = await import('../../state/store.ts');
const { DesignSession } = await import('./design-session.ts');
type DesignSession = InstanceType<typeof DesignSession>;

const open = (): DesignSession => {
  const tab = { id: 't', kind: 'design', database: 'd', object: 'table', name: null, base: null, identity: [] };
  return new DesignSession({ ...tab, sql: 'CREATE TABLE a (b)' } as unknown as DesignTab);
};

beforeEach(() => {
  engine.asked = [];
  useStore.setState({ notices: [], histories: { d: { why: null } as never } });
});

test('a change that was kept when its tab was closed is told, and nothing is discarded', async () => {
  const session = open();
  const applied = session.apply();
  await vi.waitFor(() => expect(engine.asked).toContain('schema.change'));
  session.dispose();
  engine.made({ kept: true, tables: [] });
  await applied;
  expect(engine.asked).not.toContain('dryRun.finish');
  expect(useStore.getState().notices.map(({ text }) => text)).toEqual(['Created table “a”.']);
});

test('a change that was kept is not offered again while its step is looked for', async () => {
  const applied = open().apply();
  await vi.waitFor(() => expect(engine.asked).toContain('schema.change'));
  engine.made({ kept: true, tables: [] });
  await applied;
  expect(engine.asked.filter((operation) => /^(schema.get|history.list)$/.test(operation))).toEqual([
    'schema.get',
    'history.list',
  ]);
});
