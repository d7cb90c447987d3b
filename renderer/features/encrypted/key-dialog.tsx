// The dialog that asks for the password or raw key of an encrypted file. What is typed is in this component only, and gone with it.
import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react';
import { CIPHERS, CIPHER_SETTINGS, MOST_SECRET, problemOfSecret } from '#shared/cipher-key.ts';
import type { Cipher, TypedKey } from '#shared/cipher-key.ts';
import { toAppError } from '#shared/protocol/index.ts';
import type { KeyUse, Question } from '../../state/slices/dialogs.ts';
import { visibleLine } from '#shared/visible-text.ts';
import { Button } from '../../ui/button.tsx';
import { CheckBox, RadioButton } from '../../ui/check-box.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
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
          <p className={problem === null ? 'dialog-outcome' : 'dialog-outcome error'} role="status">
            {isBusy ? words.busy : problem}
          </p>
        </>
      }
    >
      {question.path !== null && <p className="small faint key-path">{visibleLine(question.path)}</p>}
      <p className="key-note">{words.note}</p>
      <form className="label-form key-form" onSubmit={submit}>
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
      <div className="label-form key-form">
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

// What is typed into the dialog about an encrypted file, and the key that it means.
interface KeyDraft {
  readonly secret: string;
  readonly isRaw: boolean;
  readonly cipher: Cipher | null;
  /** These three as text; empty: what the cipher prescribes. */
  readonly pageBytes: string;
  readonly kdfIterations: string;
  readonly plainHeaderBytes: string;
  readonly remember: boolean;
  /** The secret once more, of a file that is to get it. */
  readonly repeated: string;
  /** The file is not to be encrypted any more. */
  readonly removes: boolean;
}

export const EMPTY_DRAFT: KeyDraft = {
  ...{ secret: '', isRaw: false, cipher: null },
  ...{ pageBytes: '', kdfIterations: '', plainHeaderBytes: '' },
  remember: false,
  repeated: '',
  removes: false,
};

const CIPHER_NAMES: Readonly<Record<Cipher, string>> = {
  ...{ sqlcipher4: 'SQLCipher 4', sqlcipher3: 'SQLCipher 3', sqlcipher2: 'SQLCipher 2', sqlcipher1: 'SQLCipher 1' },
  ...{ chacha20: 'ChaCha20 (sqleet)', aes256: 'AES-256 (wxSQLite3)', aes128: 'AES-128 (wxSQLite3)' },
  ...{ rc4: 'RC4 (System.Data.SQLite)', ascon: 'Ascon-128' },
};

const PAGE_SIZES = ['512', '1024', '2048', '4096', '8192', '16384', '32768', '65536'] as const;
const PLAIN_HEADERS = ['16', '32', '48', '64', '80', '96'] as const;

const RAW = "A raw key has 64 hexadecimal digits, or 96 if the file's salt is at its end.";
const PROBLEMS = {
  empty: 'Enter the password or raw key.',
  raw: RAW,
  long: `A password has ${MOST_SECRET} characters at most.`,
  repeated: 'The two are not the same. Enter the password or raw key again.',
  salt: 'A file whose first bytes are not encrypted does not contain its salt: enter a raw key of 96 hexadecimal digits, of which the last 32 are the salt.',
} as const;

/** The key, or a sentence about what is wrong with the draft. @param isNew of a file that is to get it */
export function keyOfDraft(draft: KeyDraft, isNew = false): { readonly key: TypedKey } | { readonly why: string } {
  const numbers = {
    pageBytes: numberOf(draft.pageBytes),
    kdfIterations: numberOf(draft.kdfIterations),
    plainHeaderBytes: numberOf(draft.plainHeaderBytes),
  };
  const { isOne, takes } = CIPHER_SETTINGS.kdfIterations;
  if (numbers.kdfIterations !== null && !isOne(numbers.kdfIterations)) return { why: `KDF iterations: ${takes}.` };
  if (draft.secret === '') return { why: PROBLEMS.empty };
  if (draft.secret.length > MOST_SECRET) return { why: PROBLEMS.long };
  const secret = draft.isRaw ? rawKey(draft.secret) : draft.secret;
  if (isNew && draft.repeated !== draft.secret) return { why: PROBLEMS.repeated };
  const problem = problemOfSecret(secret, numbers);
  if (problem !== null) return { why: PROBLEMS[problem] };
  return { key: { secret, cipher: draft.cipher, ...numbers, remember: draft.remember } };
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));

/** As SQLCipher writes it, whether its quotation marks were typed or not. */
const rawKey = (typed: string): string => `x'${typed.replace(/\s/g, '').replace(/^(?:x'|0x)|'$/gi, '')}'`;
