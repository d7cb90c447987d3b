import { afterEach, expect, test, vi } from 'vitest';
import { AppError } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { UndoWaiver } from './undo-waiver.ts';

const why = 'The database of 3.1 GB is larger than the 64 MB a snapshot may take.';
const refuses = vi.fn((params: { readonly withoutUndo?: true }) =>
  params.withoutUndo ? Promise.resolve('ran') : Promise.reject(new AppError({ code: 'not-undoable', message: why })),
);

afterEach(() => {
  useStore.setState({ questions: [] });
  refuses.mockClear();
});

async function answer(id: string | null): Promise<void> {
  await expect.poll(() => useStore.getState().questions.length).toBe(1);
  const [question] = useStore.getState().questions;
  expect(question).toMatchObject({ kind: 'choice', body: why });
  if (question?.kind === 'choice') question.answer(id);
}

test('what cannot be undone runs only after the person agreed', async () => {
  const waiver = new UndoWaiver();
  const running = waiver.run(refuses);
  await answer('once');
  expect(await running).toBe('ran');
  const again = waiver.run(refuses);
  await answer(null);
  await expect(again).rejects.toMatchObject({ code: 'not-undoable' });
  expect(refuses.mock.calls.map(([params]) => params.withoutUndo ?? false)).toEqual([false, true, false]);
});

test('a standing agreement asks no more', async () => {
  const waiver = new UndoWaiver();
  const running = waiver.run(refuses);
  await answer('always');
  await running;
  refuses.mockClear();
  expect(await waiver.run(refuses)).toBe('ran');
  expect(refuses).toHaveBeenCalledOnce();
});

test('other failures pass', async () => {
  const failure = new AppError({ code: 'sql', message: 'near "x"' });
  await expect(new UndoWaiver().run(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(useStore.getState().questions).toEqual([]);
});
