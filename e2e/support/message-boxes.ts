// The questions that main asks in boxes of the system, which no driver sees.
import type { SideliteApp } from '../sidelite-app.ts';

interface Asked {
  questions?: string[];
}

/** Answers each question from now on by its button number `response`. */
export async function answerQuestions(app: SideliteApp, response: 0 | 1): Promise<void> {
  await app.electron.evaluate(({ dialog }, value) => {
    const asked = globalThis as Asked;
    asked.questions ??= [];
    dialog.showMessageBox = ((...args: readonly unknown[]) => {
      const { message, detail } = args.at(-1) as Electron.MessageBoxOptions;
      asked.questions!.push(detail === undefined ? message : `${message}\n${detail}`);
      return Promise.resolve({ response: value, checkboxChecked: false });
    }) as never;
  }, response);
}

/** Message and detail of each that was asked since then. */
export const questionsAsked = (app: SideliteApp): Promise<readonly string[]> =>
  app.electron.evaluate(() => (globalThis as Asked).questions ?? []);
