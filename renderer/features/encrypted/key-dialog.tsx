// The dialog that asks for the password or raw key of an encrypted file. What is typed is in this component only, and gone with it.
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode, RefObject } from 'react';
import { CIPHERS } from '#shared/cipher-key.ts';
import type { Cipher } from '#shared/cipher-key.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { Question } from '../../state/slices/dialogs.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, RadioButton } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CIPHER_NAMES, EMPTY_DRAFT, keyOfDraft, PAGE_SIZES, PLAIN_HEADERS } from './key-draft.ts';
import type { KeyDraft } from './key-draft.ts';
import './key-dialog.css';

const NEW_NOTE =
  'Without its password or key nobody can open the file, and Sidelite cannot recover it. The history of the file is encrypted with the same key.';
const NOTE =
  'The file is no SQLite database as it is, so it may be encrypted. Trying a password or key only reads the file.';

const KEPT =
  'Stored encrypted, with a key that the operating system keeps. Otherwise forgotten when the file is closed.';
const NOT_KEPT = 'This system has no key store that Sidelite can use, so the key is forgotten when the file is closed.';

const TRY_ALL = ['', 'Try all'] as const;

interface Form {
  readonly draft: KeyDraft;
  readonly isBusy: boolean;
  readonly problem: string | null;
  change(part: Partial<KeyDraft>): void;
  submit(): Promise<void>;
}

function useForm({ why: whyAsked, isNew, attempt, answer }: Extract<Question, { kind: 'key' }>): Form {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState(whyAsked);
  return {
    ...{ draft, isBusy, problem },
    change(part) {
      setDraft((before) => ({ ...before, ...part }));
      setProblem(null);
    },
    async submit() {
      if (isBusy) return;
      const typed = keyOfDraft(draft, isNew);
      if ('why' in typed) return setProblem(typed.why);
      setIsBusy(true);
      const why = await attempt(typed.key).catch((thrown: unknown) => toAppError(thrown).message);
      setIsBusy(false);
      if (why === null) answer(true);
      else setProblem(why);
    },
  };
}

export function KeyDialog({ question }: { readonly question: Extract<Question, { kind: 'key' }> }): ReactNode {
  const form = useForm(question);
  const { draft, isBusy, problem, change } = form;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem !== null) field.current?.focus();
  }, [problem]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void form.submit();
  };
  const cancel = (): void => {
    if (!isBusy) question.answer(false);
  };
  return (
    <Dialog
      title={question.title}
      initialFocus={field}
      onClose={cancel}
      footer={
        <>
          <Button disabled={isBusy} onClick={cancel}>
            Cancel
          </Button>
          <Button variant="primary" disabled={isBusy} onClick={() => void form.submit()}>
            {question.isNew ? 'Create' : 'Open'}
          </Button>
          <p className={problem === null ? 'key-outcome' : 'key-outcome error'} role="status">
            {isBusy ? (question.isNew ? 'Creating…' : 'Trying…') : problem}
          </p>
        </>
      }
    >
      <p className="key-note">{question.isNew ? NEW_NOTE : NOTE}</p>
      <form className="key-form" onSubmit={submit}>
        <Secret field={field} draft={draft} isNew={question.isNew} isWrong={problem !== null} onChange={change} />
        <span aria-hidden>Cipher</span>
        <Select
          label="Cipher"
          value={draft.cipher ?? (question.isNew ? CIPHERS[0] : '')}
          options={[
            ...(question.isNew ? [] : [TRY_ALL]),
            ...CIPHERS.map((cipher) => [cipher, CIPHER_NAMES[cipher]] as const),
          ]}
          onChoose={(cipher) => change({ cipher: cipher === '' ? null : (cipher as Cipher) })}
        />
        <Advanced draft={draft} isNew={question.isNew} onChange={change} />
        <Remember draft={draft} canRemember={question.canRemember} onChange={change} />
        {/* Enter in a field submits; a form without such a button does not. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface PartProps {
  readonly draft: KeyDraft;
  readonly onChange: (part: Partial<KeyDraft>) => void;
}

interface SecretProps extends PartProps {
  readonly field: RefObject<HTMLInputElement | null>;
  readonly isWrong: boolean;
  readonly isNew: boolean;
}

function Secret({ field, draft, isNew, isWrong, onChange }: SecretProps): ReactNode {
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <label htmlFor="key-secret">{draft.isRaw ? 'Raw key' : 'Password'}</label>
      <div>
        <TextField
          ref={field}
          id="key-secret"
          type={isShown ? 'text' : 'password'}
          placeholder={draft.isRaw ? '64 or 96 hexadecimal digits' : ''}
          value={draft.secret}
          aria-invalid={isWrong}
          onChange={(event) => onChange({ secret: event.target.value })}
        />
        {isNew && (
          <TextField
            className="key-repeated"
            type={isShown ? 'text' : 'password'}
            aria-label={draft.isRaw ? 'Raw key again' : 'Password again'}
            placeholder="Again"
            value={draft.repeated}
            onChange={(event) => onChange({ repeated: event.target.value })}
          />
        )}
        <div className="row gap-16 key-kinds">
          <RadioButton
            name="key-kind"
            label="Password"
            checked={!draft.isRaw}
            onChoose={() => onChange({ isRaw: false })}
          />
          <RadioButton
            name="key-kind"
            label="Raw key"
            checked={draft.isRaw}
            onChoose={() => onChange({ isRaw: true })}
          />
          <CheckBox className="form-check push-end" label="Show" checked={isShown} onChange={setIsShown} />
        </div>
      </div>
    </>
  );
}

function Remember({ draft, canRemember, onChange }: PartProps & { readonly canRemember: boolean }): ReactNode {
  return (
    <div className="key-remember">
      <CheckBox
        label="Remember on this computer"
        checked={draft.remember}
        disabled={!canRemember}
        aria-describedby="key-remember-note"
        onChange={(remember) => onChange({ remember })}
      />
      <p id="key-remember-note" className="faint">
        {canRemember ? KEPT : NOT_KEPT}
      </p>
    </div>
  );
}

function Advanced({ draft, isNew, onChange }: PartProps & { readonly isNew: boolean }): ReactNode {
  const sizes = (values: readonly string[]) => values.map((value) => [value, `${value} bytes`] as const);
  return (
    <details className="key-advanced">
      <summary>Advanced</summary>
      <div className="key-form">
        <span aria-hidden>Page size</span>
        <Select
          label="Page size"
          value={draft.pageBytes}
          options={[['', 'As the cipher prescribes'], ...sizes(PAGE_SIZES)]}
          onChoose={(pageBytes) => onChange({ pageBytes })}
        />
        <label htmlFor="key-iterations">KDF iterations</label>
        <TextField
          id="key-iterations"
          inputMode="numeric"
          placeholder="As the cipher prescribes"
          value={draft.kdfIterations}
          onChange={(event) => onChange({ kdfIterations: event.target.value })}
        />
        {!isNew && (
          <>
            <span aria-hidden>Plain header</span>
            <Select
              label="Plain header"
              value={draft.plainHeaderBytes}
              options={[['', 'None'], ...sizes(PLAIN_HEADERS)]}
              onChoose={(plainHeaderBytes) => onChange({ plainHeaderBytes })}
            />
          </>
        )}
      </div>
    </details>
  );
}
