// Puts the questions of the store on screen, one at a time.
import { useRef, useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import { cutMiddle, visibleName } from '#shared/visible-text.ts';
import { KeyDialog } from '../features/encrypted/key-dialog.tsx';
import type { Question } from '../state/slices/dialogs.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';
import { CheckBox, RadioButton } from '../ui/check-box.tsx';
import { setSetting } from '../workbench/set-setting.ts';
import './questions.css';

export function Questions(): ReactNode {
  const question = useStore((state) => state.questions[0]);
  if (!question) return null;
  switch (question.kind) {
    case 'confirm':
      return <Confirm key={question.title} question={question} />;
    case 'choice':
      return <Choice key={question.title} question={question} />;
    case 'pick':
      return <PickOne key={question.title} question={question} />;
    case 'prompt':
      return <Prompt key={question.title} question={question} />;
    case 'key':
      return <KeyDialog key={question.number} question={question} />;
  }
}

function Confirm({ question }: { readonly question: Extract<Question, { kind: 'confirm' }> }): ReactNode {
  const { title, body, confirmLabel, danger = false, cancelLabel = 'Cancel', asks, answer } = question;
  const [isLast, setIsLast] = useState(false);
  const agree = (): void => {
    if (isLast && asks) setSetting(asks, false);
    answer(true);
  };
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      title={title}
      role="alertdialog"
      initialFocus={button}
      onClose={() => answer(false)}
      footer={
        <>
          {cancelLabel !== null && (
            // Enter must not destroy anything: if the action cannot be undone, Cancel has the focus at first.
            <Button {...(danger && { ref: button })} onClick={() => answer(false)}>
              {cancelLabel}
            </Button>
          )}
          <Button {...(!danger && { ref: button })} variant={danger ? 'danger' : 'primary'} onClick={agree}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {body}
      {asks && (
        <CheckBox
          className="row gap-8 question-remember"
          label="Don’t ask again (you can change this in Settings)"
          checked={isLast}
          onChange={setIsLast}
        />
      )}
    </Dialog>
  );
}

function Choice({ question }: { readonly question: Extract<Question, { kind: 'choice' }> }): ReactNode {
  const { title, body, choices, remember, answer } = question;
  const [remembered, setRemembered] = useState(false);
  const take = (id: string): void => {
    if (remembered) remember?.onChosen(id);
    answer(id);
  };
  const first = useRef<HTMLButtonElement>(null);
  const primary = choices.find(({ variant }) => variant === 'primary');
  return (
    <Dialog
      title={title}
      role="alertdialog"
      initialFocus={first}
      onClose={() => answer(null)}
      footer={
        <>
          <Button {...(!primary && { ref: first })} onClick={() => answer(null)}>
            Cancel
          </Button>
          {choices.map((choice) => (
            <Button
              key={choice.id}
              {...(choice === primary && { ref: first })}
              variant={choice.variant ?? 'plain'}
              onClick={() => take(choice.id)}
            >
              {choice.label}
            </Button>
          ))}
        </>
      }
    >
      {body}
      {remember && (
        <CheckBox
          className="row gap-8 question-remember"
          label={remember.label}
          checked={remembered}
          onChange={setRemembered}
        />
      )}
    </Dialog>
  );
}

/** As wide as a dialog. The tooltip has the whole name. */
const MAX_ITEM_CHARS = 52;

function PickOne({ question }: { readonly question: Extract<Question, { kind: 'pick' }> }): ReactNode {
  const { title, body, items, choices, answer } = question;
  const [item, setItem] = useState(items[0]!.id);
  const first = useRef<HTMLInputElement>(null);
  return (
    <Dialog
      title={title}
      initialFocus={first}
      onClose={() => answer(null)}
      footer={
        <>
          <Button onClick={() => answer(null)}>Cancel</Button>
          {choices.map(({ id, label, variant = 'plain' }) => (
            <Button key={id} variant={variant} onClick={() => answer({ item, choice: id })}>
              {label}
            </Button>
          ))}
        </>
      }
    >
      {body}
      <div className="question-items" role="radiogroup" aria-label={body}>
        {items.map(({ id, label, detail }, at) => (
          <RadioButton
            key={id}
            ref={at === 0 ? first : undefined}
            name="question-item"
            title={visibleName(label)}
            label={
              <>
                <span className="cut text-color question-item">{visibleName(cutMiddle(label, MAX_ITEM_CHARS))}</span>
                <span className="small faint">{detail}</span>
              </>
            }
            checked={item === id}
            onChoose={() => setItem(id)}
          />
        ))}
      </div>
    </Dialog>
  );
}

function Prompt({ question }: { readonly question: Extract<Question, { kind: 'prompt' }> }): ReactNode {
  const { title, label, value, confirmLabel = 'OK', validate, answer } = question;
  const [text, setText] = useState(value);
  const field = useRef<HTMLInputElement>(null);
  const problem = validate?.(text) ?? null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (problem === null) answer(text);
  };
  return (
    <Dialog
      title={title}
      initialFocus={field}
      onClose={() => answer(null)}
      footer={
        <>
          <Button onClick={() => answer(null)}>Cancel</Button>
          <Button variant="primary" disabled={problem !== null} onClick={() => answer(text)}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form onSubmit={submit}>
        <label className="stack gap-5 text-color question-label">
          {label}
          <TextField
            ref={field}
            value={text}
            aria-invalid={problem !== null}
            onFocus={(event) => event.target.select()}
            onChange={(event) => setText(event.target.value)}
          />
          <span className="small error question-problem" role="status">
            {problem}
          </span>
        </label>
      </form>
    </Dialog>
  );
}
