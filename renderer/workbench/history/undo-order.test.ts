// Which change Undo takes back, of those that are held and those that are stored, while news of either is still on its way.
import { beforeEach, expect, test, vi } from 'vitest';

const engine = vi.hoisted(() => ({
  asked: [] as string[],
  isOn: true,
  held: [] as { id: number; text: string }[],
  undone: 0,
  stored: [1] as number[],
  /** The engine is given edits, but has not answered yet. */
  waiting: [] as (() => void)[],
  isSlow: false,
  /** It works on something else, and answers nothing about the database. */
  isBusy: false,
}));

vi.mock('../../connection/database-client.ts', () => ({
  client: {
    on: () => () => undefined,
    onReconnected: () => undefined,
    async call(operation: string, params: { isOn: boolean; text: string }) {
      engine.asked.push(operation);
      await Promise.resolve();
      switch (operation) {
        case 'held.read':
          return { isOn: engine.isOn, interruptedAt: null, undone: engine.undone, renames: 0, steps: [...engine.held] };
        case 'held.turn':
          engine.isOn = params.isOn;
          return null;
        case 'held.add':
          if (engine.isSlow) await new Promise<void>((resolve) => engine.waiting.push(resolve));
          engine.held.push({ id: engine.held.length + 1, text: params.text });
          return null;
        case 'held.undo':
          engine.held.pop();
          engine.undone++;
          return null;
        case 'history.state':
          if (engine.isBusy) await new Promise(() => undefined);
          return { undo: engine.stored.length > 0 ? { step: engine.stored.at(-1), title: '' } : null };
        case 'history.undo':
          return { id: engine.stored.pop(), title: '', tables: [], windowTitle: '' };
        default:
          return [];
      }
    },
  },
}));
vi.mock('../../connection/shell.ts', () => ({ shell: { windowInfo: async () => ({ windowTitle: '' }) } }));

const { saveChanges, readHeld, turnHolding } = await import('../held/held-store.ts');
const { undoOrRedo, stepBackOrForth } = await import('./history.ts');
const { useStore } = await import('../../state/store.ts');

const EDIT = [{ kind: 'update', key: [1], set: { a: 1 }, base: { a: 0 } }] as const;
const undos = (): readonly string[] => engine.asked.filter((operation) => operation.endsWith('.undo'));

beforeEach(async () => {
  Object.assign(engine, {
    asked: [],
    isOn: true,
    held: [],
    undone: 0,
    stored: [1],
    waiting: [],
    isSlow: false,
    isBusy: false,
  });
  useStore.setState({ openDatabases: { d: {} } as never });
  await readHeld('d');
});

test('an edit that is only being held is undone, and not what was stored before', async () => {
  engine.isSlow = true;
  const saving = saveChanges('d', 't', EDIT);
  undoOrRedo('undo', 'd');
  await vi.waitFor(() => expect(engine.waiting).toHaveLength(1));
  engine.waiting[0]!();
  await saving;
  await vi.waitFor(() => expect(undos()).toEqual(['held.undo']));
});

test('a press that comes before the window has heard of the step undone by the press before knows of it', async () => {
  await saveChanges('d', 't', EDIT);
  await turnHolding('d', false);
  engine.stored.push(2);
  undoOrRedo('undo', 'd');
  undoOrRedo('undo', 'd');
  await vi.waitFor(() => expect(undos()).toEqual(['history.undo', 'held.undo']));
});

test('a change is held while the engine works on something else', async () => {
  engine.isBusy = true;
  expect(await saveChanges('d', 't', EDIT)).toMatchObject({ isHeld: true });
  undoOrRedo('undo', 'd');
  await vi.waitFor(() => expect(undos()).toEqual(['held.undo']));
});

test('without held changes, no press asks what is stored', async () => {
  undoOrRedo('undo', 'd');
  await vi.waitFor(() => expect(undos()).toEqual(['history.undo']));
  await stepBackOrForth('undo', 'd');
  expect(engine.asked).not.toContain('history.state');
});
