// The controls of the form. A text takes effect when the field is left or Enter is pressed; Esc restores the previous text.
import { useId, type ComponentProps, type ReactNode, type Ref } from 'react';
import { expressionProblem } from '#shared/ddl/expressions.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { CommittedField } from '../../ui/committed-field.tsx';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { nameProblem, without } from './lists.ts';
import { useItemList } from './use-item-list.ts';

export interface FormProps<Model> {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: Model;
}

type FieldProps = Omit<ComponentProps<typeof CommittedField>, 'className'> & { readonly label: string };

export function Field(props: FieldProps): ReactNode {
  return <CommittedField {...props} className="fill-x full-width small-field design-field" />;
}

interface NameFieldProps {
  /** The kind of object, as in a sentence. */
  readonly what: string;
  readonly name: string;
  readonly onRename: (name: string) => void;
}

export function NameField({ what, name, onRename }: NameFieldProps): ReactNode {
  return (
    <Line label="Name">
      <Field data-first-focus label={`Name of the ${what}`} value={name} problemOf={nameProblem} onCommit={onRename} />
    </Line>
  );
}

export function Line({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="gap-8 design-line">
      <span className="dim">{label}</span>
      <span className="gap-4 wrap shrink-x design-control">{children}</span>
    </div>
  );
}

/** A condition on rows; empty: every row. */
export function OptionalCondition({ label, ...rest }: Pick<FieldProps, 'label' | 'value' | 'onCommit'>): ReactNode {
  return (
    <Line label={label}>
      <Field
        {...rest}
        label={label}
        placeholder="Every row"
        problemOf={(sql) => (sql.trim() === '' ? null : expressionProblem(sql))}
      />
    </Line>
  );
}

interface CheckProps {
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly label: string;
  readonly checked: boolean;
  /** Shows the label beside the control; otherwise it is only for screen readers. */
  readonly isShown?: boolean;
  /** Shown in place of the label, which also names the subject. */
  readonly words?: string;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Check({
  inputRef,
  label,
  words = label,
  checked,
  isShown = false,
  disabled = false,
  onChange,
}: CheckProps): ReactNode {
  const id = useId();
  return (
    <span className="row-inline gap-6 design-check">
      <input
        ref={inputRef}
        id={id}
        type="checkbox"
        disabled={disabled}
        aria-label={isShown && words === undefined ? undefined : label}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {isShown && <label htmlFor={id}>{words ?? label}</label>}
    </span>
  );
}

interface ColumnPickerProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly value: readonly string[];
  readonly canBeEmpty?: boolean;
  readonly onChange: (value: readonly string[]) => void;
}

const NONE = '';

/** An ordered list of columns: one select for each, and one to add another. */
export function ColumnPicker({ label, columns, value, canBeEmpty = false, onChange }: ColumnPickerProps): ReactNode {
  const free = columns.filter((column) => !value.includes(column));
  const option = (name: string): readonly [string, string] => [name, visibleName(name)];
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLSpanElement>(value);
  return (
    <span className="gap-4 wrap shrink-x design-picker" {...listProps}>
      {value.map((name, index) => (
        <span key={keys[index]} {...itemProps(index)}>
          <Select
            label={`${label}, column ${index + 1}`}
            value={name}
            options={[
              option(name),
              ...free.map(option),
              ...(value.length > (canBeEmpty ? 0 : 1) ? [[NONE, 'Remove'] as const] : []),
            ]}
            onChoose={(chosen) =>
              onChange(chosen === NONE ? without(value, index) : value.map((one, at) => (at === index ? chosen : one)))
            }
          />
        </span>
      ))}
      {free.length > 0 && (
        <span {...addProps}>
          <Select
            label={`${label}, add a column`}
            value={NONE}
            options={[[NONE, value.length === 0 && canBeEmpty ? 'Any' : 'Add…'], ...free.map(option)]}
            onChoose={(chosen) => chosen !== NONE && onChange([...value, chosen])}
          />
        </span>
      )}
    </span>
  );
}
