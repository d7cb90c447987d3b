// The small form behind “+ filter” and behind a chip.
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { FILTER_OPERATORS, filterOperator } from '#shared/filter-operators.ts';
import type { FilterOperator } from '#shared/filter-operators.ts';
import type { FilterTerm } from '#shared/protocol/rows.ts';
import type { Value } from '#shared/protocol/values.ts';
import { valueText } from '../../grid/input/value-text.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { affinityOf, typedValue } from './typed-value.ts';

export interface FilterColumn {
  readonly name: string;
  readonly declaredType: string;
}

interface FilterFormProps {
  readonly columns: readonly FilterColumn[];
  readonly initial: FilterTerm;
  readonly isNew: boolean;
  onApply(term: FilterTerm): void;
  onCancel(): void;
}

export function FilterForm({ columns, initial, isNew, onApply, onCancel }: FilterFormProps): ReactNode {
  const [column, setColumn] = useState(initial.column);
  const [operator, setOperator] = useState<FilterOperator>(initial.operator);
  const [text, setText] = useState(valueText(initial.value));
  const first = useRef<HTMLSelectElement>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => (isNew ? field.current : first.current)?.focus(), [isNew]);

  const apply = (): void => {
    const declaredType = columns.find(({ name }) => name === column)?.declaredType ?? '';
    onApply({ column, operator, value: operand(operator, text, declaredType) });
  };
  return (
    <form
      className="filter-form"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <Select
        selectRef={first}
        label="Column"
        value={column}
        options={columns.map(({ name }) => [name, name])}
        onChoose={setColumn}
      />
      <Select<FilterOperator>
        label="Operator"
        value={operator}
        options={FILTER_OPERATORS.map(({ id, label }) => [id, label])}
        onChoose={setOperator}
      />
      {filterOperator(operator).operand !== 'nothing' && (
        <TextField
          ref={field}
          className="small-field filter-value"
          aria-label="Value"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <Button size="small" variant="primary" type="submit">
        {isNew ? 'Add' : 'Apply'}
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </form>
  );
}

function operand(operator: FilterOperator, text: string, declaredType: string): Value {
  const { operand: wanted } = filterOperator(operator);
  if (wanted === 'nothing') return null;
  return wanted === 'text' ? text : typedValue(text, affinityOf(declaredType), 'null');
}
