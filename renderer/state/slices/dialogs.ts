// State: questions to the user, one at a time, each answered by a promise.
import type { StateCreator } from 'zustand';
import type { TypedKey } from '#shared/cipher-key.ts';
import type { ConfirmationKey } from '#shared/settings/definitions.ts';
import { settingNow } from '../settings.ts';

export interface ConfirmQuestion {
  readonly title: string;
  readonly body: string;
  readonly confirmLabel: string;
  readonly danger?: boolean;
  /** The setting with which the user turns this question off: it then counts as confirmed. */
  readonly asks?: ConfirmationKey;
  /** Label of the button that cancels; null if there is nothing to decide. Default “Cancel”. */
  readonly cancelLabel?: string | null;
}

export interface PromptQuestion {
  readonly title: string;
  readonly label: string;
  readonly value: string;
  readonly confirmLabel?: string;
  /** Returns a sentence about what is wrong with the text, or null. */
  validate?(text: string): string | null;
}

export interface ChoiceQuestion {
  readonly title: string;
  readonly body: string;
  /** A checkbox beside the choices; `onChosen` is called with the choice if it was checked. */
  readonly remember?: { readonly label: string; onChosen(id: string): void };
  /** Shown beside “Cancel”. The primary one has the focus at first; without one, “Cancel” has it, so that Enter destroys nothing. */
  readonly choices: readonly {
    readonly id: string;
    readonly label: string;
    readonly variant?: 'plain' | 'primary' | 'danger';
  }[];
}

/** One of several things, and what to do with it. */
export interface PickQuestion {
  readonly title: string;
  readonly body: string;
  /** At least one; the first is chosen at first. */
  readonly items: readonly { readonly id: string; readonly label: string; readonly detail: string }[];
  readonly choices: ChoiceQuestion['choices'];
}

export interface Picked {
  readonly item: string;
  readonly choice: string;
}

/** `create`: of a file that does not exist yet; `set`: of one that is not encrypted; `change`: or to remove it. */
export type KeyUse = 'open' | 'create' | 'set' | 'change';

/** Asks for what opens an encrypted file. */
export interface KeyQuestion {
  readonly title: string;
  /** Where the file is; null: the user has just said so. */
  readonly path: string | null;
  /** Why the remembered key does not open it; null: there was none. */
  readonly why: string | null;
  readonly canRemember: boolean;
  readonly use: KeyUse;
  /** Tries what was typed; null: the file is not to be encrypted. Returns why it does not work; null: it does, or what is wrong is not the key. */
  attempt(key: TypedKey | null): Promise<string | null>;
  /** Ends the attempt, whose result then no longer matters; missing: it is waited for. */
  stop?(): void;
}

export type Question =
  | (ConfirmQuestion & { readonly kind: 'confirm'; answer(confirmed: boolean): void })
  | (ChoiceQuestion & { readonly kind: 'choice'; answer(id: string | null): void })
  | (PickQuestion & { readonly kind: 'pick'; answer(picked: Picked | null): void })
  | (PromptQuestion & { readonly kind: 'prompt'; answer(text: string | null): void })
  /** `number`: titles of two files may be the same, and what was typed for one must not be sent for the other. */
  | (KeyQuestion & { readonly kind: 'key'; readonly number: number; answer(isTried: boolean): void });

export interface DialogsSlice {
  /** The first question is on screen. */
  readonly questions: readonly Question[];
  confirm(question: ConfirmQuestion): Promise<boolean>;
  /** Resolves with the id of a choice; null if canceled. */
  choose(question: ChoiceQuestion): Promise<string | null>;
  /** Resolves with null if canceled. */
  pickOne(question: PickQuestion): Promise<Picked | null>;
  /** Resolves with null if canceled. */
  prompt(question: PromptQuestion): Promise<string | null>;
  /** Resolves with false if canceled. */
  askKey(question: KeyQuestion): Promise<boolean>;
}

export const createDialogsSlice: StateCreator<DialogsSlice, [], [], DialogsSlice> = (set) => {
  let keyQuestions = 0;
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
    confirm: (question) =>
      question.asks !== undefined && !settingNow(question.asks)
        ? Promise.resolve(true)
        : ask<boolean>((answer) => ({ ...question, kind: 'confirm', answer })),
    choose: (question) => ask<string | null>((answer) => ({ ...question, kind: 'choice', answer })),
    pickOne: (question) => ask<Picked | null>((answer) => ({ ...question, kind: 'pick', answer })),
    prompt: (question) => ask<string | null>((answer) => ({ ...question, kind: 'prompt', answer })),
    askKey: (question) => ask<boolean>((answer) => ({ ...question, kind: 'key', number: ++keyQuestions, answer })),
  };
};
