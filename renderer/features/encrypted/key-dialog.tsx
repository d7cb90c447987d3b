// The dialog that asks for the password or raw key of an encrypted file. What is typed is in this component only, and gone with it.
import { useEffect, useRef, useState } from 'react';
import type { FormEvent, ReactNode, RefObject } from 'react';
import { CIPHERS } from '#shared/cipher-key.ts';
import type { Cipher } from '#shared/cipher-key.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { KeyUse, Question } from '../../state/slices/dialogs.ts';
import { visibleLine } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, RadioButton } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { CIPHER_NAMES, EMPTY_DRAFT, keyOfDraft, PAGE_SIZES, PLAIN_HEADERS } from './key-draft.ts';
import type { KeyDraft } from './key-draft.ts';
import './key-dialog.css';

const IRRECOVERABLE = 'Without its password or key nobody can open the file, and Sidelite cannot recover it.';
const ENDS = 'The history of the file ends: Undo reaches no further than this.';
const OLD_BLOCKS = 'Old blocks of the disk, backups, and other copies';

interface Words {
  readonly note: string;
  readonly submit: string;
  readonly busy: string;
}

const WORDS: Readonly<Record<KeyUse | 'remove', Words>> = {
  open: {
    note: 'This is not a plain SQLite database, so it may be encrypted. Trying a password or key only reads the file.',
    submit: 'Open',
    busy: 'Trying…',
  },
  create: {
    note: `${IRRECOVERABLE} The history of the file is encrypted with the same key.`,
    submit: 'Create',
    busy: 'Creating…',
  },
  set: {
    note: `${IRRECOVERABLE} ${ENDS} ${OLD_BLOCKS} are not wiped, and stay without a password.`,
    submit: 'Set password',
    busy: 'Encrypting the file. It stays as it is until all of it is encrypted…',
  },
  change: {
    note: `${IRRECOVERABLE} ${ENDS} ${OLD_BLOCKS} are not wiped, and keep the old password.`,
    submit: 'Change password',
    busy: 'Changing the password. The file stays as it is until all of it is changed…',
  },
  remove: {
    note: `Everyone who can read the file can then read its content. ${ENDS}`,
    submit: 'Remove password',
    busy: 'Removing the password. The file stays as it is until all of it is decrypted…',
  },
};

const KEPT =
  'Stored encrypted, with a key that the operating system keeps. Otherwise forgotten when the file is closed.';
const NOT_KEPT = 'This system has no key store that Sidelite can use, so the key is forgotten when the file is closed.';

const WAITS = 'This cannot be canceled. If it fails, the file stays as it is.';

const TRY_ALL = ['', 'Try all'] as const;

interface Form {
  readonly draft: KeyDraft;
  readonly isBusy: boolean;
  readonly problem: string | null;
  /** Why it cannot be canceled; null: it can. */
  readonly whyWait: string | null;
  change(part: Partial<KeyDraft>): void;
  submit(): Promise<void>;
  cancel(): void;
}

function useForm({ why: whyAsked, use, attempt, stop, answer }: Extract<Question, { kind: 'key' }>): Form {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState(whyAsked);
  const whyWait = isBusy && !stop ? WAITS : null;
  return {
    ...{ draft, isBusy, problem, whyWait },
    change(part) {
      setDraft((before) => ({ ...before, ...part }));
      setProblem(null);
    },
    async submit() {
      if (isBusy) return;
      const typed = draft.removes ? { key: null } : keyOfDraft(draft, use !== 'open');
      if ('why' in typed) return setProblem(typed.why);
      setIsBusy(true);
      const why = await attempt(typed.key).catch((thrown: unknown) => toAppError(thrown).message);
      setIsBusy(false);
      if (why === null) answer(true);
      else setProblem(why);
    },
    cancel() {
      if (whyWait !== null) return;
      if (isBusy) stop?.();
      answer(false);
    },
  };
}

export function KeyDialog({ question }: { readonly question: Extract<Question, { kind: 'key' }> }): ReactNode {
  const form = useForm(question);
  const { draft, isBusy, problem, change, cancel } = form;
  const words = WORDS[draft.removes ? 'remove' : question.use];
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem !== null) field.current?.focus();
  }, [problem]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <Dialog
      title={question.title}
      initialFocus={field}
      onClose={cancel}
      footer={
        <>
          <Button why={form.whyWait} onClick={cancel}>
            Cancel
          </Button>
          <Button variant="primary" disabled={isBusy} onClick={() => void form.submit()}>
            {words.submit}
          </Button>
          <p className={problem === null ? 'key-outcome' : 'key-outcome error'} role="status">
            {isBusy ? words.busy : problem}
          </p>
        </>
      }
    >
      {question.path !== null && <p className="small faint key-path">{visibleLine(question.path)}</p>}
      <p className="key-note">{words.note}</p>
      <form className="key-form" onSubmit={submit}>
        {question.use === 'change' && <Removal draft={draft} onChange={change} />}
        {!draft.removes && <KeyFields question={question} field={field} form={form} />}
        {/* Enter in a field submits; a form without such a button does not. */}
        <button type="submit" hidden />
      </form>
    </Dialog>
  );
}

interface KeyFieldsProps {
  readonly question: Extract<Question, { kind: 'key' }>;
  readonly field: RefObject<HTMLInputElement | null>;
  readonly form: Form;
}

function KeyFields({
  question: { use, canRemember },
  field,
  form: { draft, problem, change },
}: KeyFieldsProps): ReactNode {
  const isNew = use !== 'open';
  return (
    <>
      <Secret field={field} draft={draft} isNew={isNew} isWrong={problem !== null} onChange={change} />
      <span aria-hidden>Cipher</span>
      <Select
        label="Cipher"
        value={draft.cipher ?? (isNew ? CIPHERS[0] : '')}
        options={[...(isNew ? [] : [TRY_ALL]), ...CIPHERS.map((cipher) => [cipher, CIPHER_NAMES[cipher]] as const)]}
        onChoose={(cipher) => change({ cipher: cipher === '' ? null : (cipher as Cipher) })}
      />
      <Advanced draft={draft} isNew={isNew} onChange={change} />
      <Remember draft={draft} canRemember={canRemember} onChange={change} />
    </>
  );
}

function Removal({ draft, onChange }: PartProps): ReactNode {
  return (
    <div className="row gap-16 key-removal">
      <RadioButton
        name="key-removal"
        label="New password"
        checked={!draft.removes}
        onChoose={() => onChange({ removes: false })}
      />
      <RadioButton
        name="key-removal"
        label="Remove password"
        checked={draft.removes}
        onChoose={() => onChange({ removes: true })}
      />
    </div>
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
  const name = draft.isRaw ? 'Raw key' : 'Password';
  const type = isShown ? 'text' : 'password';
  return (
    <>
      <label htmlFor="key-secret">{name}</label>
      <TextField
        ref={field}
        id="key-secret"
        type={type}
        placeholder={draft.isRaw ? '64 or 96 hexadecimal digits' : ''}
        value={draft.secret}
        aria-invalid={isWrong}
        onChange={(event) => onChange({ secret: event.target.value })}
      />
      {isNew && (
        <>
          <label htmlFor="key-repeated">{name} again</label>
          <TextField
            id="key-repeated"
            type={type}
            value={draft.repeated}
            onChange={(event) => onChange({ repeated: event.target.value })}
          />
        </>
      )}
      <div className="row gap-16 key-kinds">
        <RadioButton
          name="key-kind"
          label="Password"
          checked={!draft.isRaw}
          onChoose={() => onChange({ isRaw: false })}
        />
        <RadioButton name="key-kind" label="Raw key" checked={draft.isRaw} onChoose={() => onChange({ isRaw: true })} />
        <CheckBox className="form-check push-end" label="Show" checked={isShown} onChange={setIsShown} />
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
