// Asks the user before running something that could not be undone, and remembers the answer for the tab, so that it does not ask again.
import { toAppError } from '#shared/protocol/index.ts';
import { choose } from '../../state/store.ts';

export class UndoWaiver {
  #isStanding = false;

  /** @throws errors of `run`; `not-undoable` if the user decided against it */
  async run<T>(run: (params: { readonly withoutUndo?: true }) => Promise<T>): Promise<T> {
    try {
      return await run(this.#isStanding ? { withoutUndo: true } : {});
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code !== 'not-undoable' || !(await this.#asks(error.message))) throw error;
      return await run({ withoutUndo: true });
    }
  }

  async #asks(message: string): Promise<boolean> {
    const answer = await choose({
      title: 'Run without undo?',
      body: message,
      choices: [
        { id: 'always', label: 'Always in this tab' },
        { id: 'once', label: 'Run without undo', variant: 'danger' },
      ],
    });
    this.#isStanding = answer === 'always';
    return answer !== null;
  }
}
