// One condition in a filter form: column, operator, and value.
import type { ReactNode } from 'react';
import { X } from 'lucide-react';
import { FILTER_OPERATORS, filterOperator, type FilterOperator } from '#shared/filter-operators.ts';
import { IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { FilterColumn, FormRow } from './filter-form-rows.ts';

interface ConditionRowProps {
  readonly row: FormRow;
  readonly isFirst: boolean;
  readonly columns: readonly FilterColumn[];
  onChange(patch: Partial<FormRow>): void;
  /** Null for the only row. */
  readonly onRemove: (() => void) | null;
}

/** Where the grid shows another form. */
export const STORED_VALUE = 'stored value';

/** A column can have any name, so columns are chosen by number. */
const ANY = 'any';

export function ConditionRow({ row, isFirst, columns, onChange, onRemove }: ConditionRowProps): ReactNode {
  const { operand } = filterOperator(row.operator);
  const hasFormat = columns.some(({ name, hasFormat: has }) => has && name === row.column);
  const chosen = row.column === null ? ANY : String(columns.findIndex(({ name }) => name === row.column));
  return (
    <span className="row-inline gap-5 filter-condition">
      {!isFirst && (
        <Select
          label="Combine with"
          value={row.joiner}
          options={[
            ['and', 'and'],
            ['or', 'or'],
          ]}
          onChoose={(joiner) => onChange({ joiner })}
        />
      )}
      <Select
        label="Column"
        value={chosen}
        options={[...columns.map(({ name, label }, at) => [String(at), label ?? name] as const), [ANY, 'Any column']]}
        onChoose={(at) => onChange({ column: at === ANY ? null : (columns[Number(at)]?.name ?? null) })}
      />
      <Select<FilterOperator>
        label="Operator"
        value={row.operator}
        options={FILTER_OPERATORS.map(({ id, label }) => [id, label])}
        onChoose={(operator) => onChange({ operator })}
      />
      {operand !== 'nothing' && (
        <TextField
          className="small-field filter-condition-value"
          aria-label="Value"
          placeholder={hasFormat ? STORED_VALUE : operand === 'list' ? '1, 2, null' : ''}
          value={row.text}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      )}
      {operand === 'range' && (
        <>
          and
          <TextField
            className="small-field filter-condition-value"
            aria-label="Upper bound"
            value={row.to}
            onChange={(event) => onChange({ to: event.target.value })}
          />
        </>
      )}
      {onRemove && (
        <IconButton label="Remove condition" onClick={onRemove}>
          <X size={12} />
        </IconButton>
      )}
    </span>
  );
}
