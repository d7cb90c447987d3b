// The step that represents changes that were not recorded: undo ends there.
import { newRun } from '../sessions/work-origin.ts';
import type { StepDraft } from './store.ts';

export const NOT_RECORDED =
  'Changes were made here that are not in the history: the app or the machine ended before they were recorded, or another program made them.';
export const OF_OTHERS = 'Another program wrote to this file. What it changed there is not recorded here.';

export function gapStep(why: string, mark: string, about: Partial<StepDraft> = {}): StepDraft {
  return {
    atMs: Date.now(),
    title: 'Changes that were not recorded',
    sql: null,
    windowTitle: '',
    run: newRun(),
    tables: [],
    virtual: {},
    ...about,
    kind: 'gap',
    why,
    mark,
    undo: null,
  };
}
