// The lines of the form on the left: a label, a control, and below it the reason for its setting.
import { useId, type ComponentProps, type ReactNode } from 'react';
import { CommittedField } from '../../ui/committed-field.tsx';
import { CheckBox } from '../../ui/check-box.tsx';
import { Select } from '../../ui/select.tsx';

interface FormLineProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string | undefined }) => ReactNode;
}

function FormLine({ label, note, children }: FormLineProps): ReactNode {
  const id = useId();
  const noteId = `${id}-note`;
  return (
    <div className="import-line">
      <div className="gap-8 import-control">
        <label className="dim import-label" htmlFor={id}>
          {label}
        </label>
        {children({ id, 'aria-describedby': note ? noteId : undefined })}
      </div>
      {note && (
        <p id={noteId} className="import-note" title={note}>
          {note}
        </p>
      )}
    </div>
  );
}

interface ChoiceLineProps extends ComponentProps<typeof Select> {
  readonly label: string;
  readonly note?: string | undefined;
}

export function ChoiceLine({ label, note, ...select }: ChoiceLineProps): ReactNode {
  return (
    <FormLine label={label} note={note}>
      {(ids) => <Select {...ids} {...select} />}
    </FormLine>
  );
}

interface TextLineProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly value: string;
  readonly placeholder?: string;
  readonly type?: 'text' | 'number';
  readonly onCommit: (value: string) => void;
}

export function TextLine({ label, note, onCommit, ...field }: TextLineProps): ReactNode {
  return (
    <FormLine label={label} note={note}>
      {(ids) => <CommittedField {...field} {...ids} className="small-field" onCommit={onCommit} />}
    </FormLine>
  );
}

interface CheckLineProps {
  readonly label: string;
  readonly note?: string | undefined;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function CheckLine({ label, note, checked, onChange }: CheckLineProps): ReactNode {
  const id = useId();
  return (
    <div className="import-line">
      <CheckBox
        className="row gap-6 break-words import-check"
        label={label}
        checked={checked}
        aria-describedby={note ? id : undefined}
        onChange={onChange}
      />
      {note && (
        <p id={id} className="import-note" title={note}>
          {note}
        </p>
      )}
    </div>
  );
}
