// State: questions to the person, one at a time, each answered by a promise.
import type { StateCreator } from 'zustand';

export interface ConfirmQuestion {
  readonly title: string;
  readonly body: string;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** Null: there is nothing to decide, only to read. Default “Cancel”. */
  readonly cancelLabel?: string | null;
}

export interface PromptQuestion {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly confirmLabel?: string;
  /** A sentence about what is wrong with the text, or null. */
  validate?(text: string): string | null;
}

export type Question =
  | (ConfirmQuestion & { readonly kind: 'confirm'; answer(confirmed: boolean): void })
  | (PromptQuestion & { readonly kind: 'prompt'; answer(text: string | null): void });

export interface DialogsSlice {
  /** The first is on screen. */
  readonly questions: readonly Question[];
  confirm(question: ConfirmQuestion): Promise<boolean>;
  /** Null when canceled. */
  prompt(question: PromptQuestion): Promise<string | null>;
}

export const createDialogsSlice: StateCreator<DialogsSlice, [], [], DialogsSlice> = (set) => {
  const ask = <Answer>(build: (answer: (value: Answer) => void) => Question): Promise<Answer> =>
    new Promise((resolve) => {
      const question = build((value) => {
        set(({ questions }) => ({ questions: questions.filter((other) => other !== question) }));
        resolve(value);
      });
      set(({ questions }) => ({ questions: [...questions, question] }));
    });
  return {
    questions: [],
    confirm: (question) => ask<boolean>((answer) => ({ ...question, kind: 'confirm', answer })),
    prompt: (question) => ask<string | null>((answer) => ({ ...question, kind: 'prompt', answer })),
  };
};
