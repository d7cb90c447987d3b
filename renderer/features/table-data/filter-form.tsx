// The form behind “+ filter” and behind a chip: one condition, or several joined by “and” and “or”, where “and” binds tighter.
import { useEffect, useRef, useState } from 'react';
import type { ReactNode, RefObject } from 'react';
import type { FilterEntry } from '#shared/protocol/rows.ts';
import { Button } from '../../ui/button.tsx';
import { ConditionRow } from '../../workbench/filter/filter-condition-row.tsx';
import { entryFrom, rowsOf } from '../../workbench/filter/filter-form-rows.ts';
import type { FilterColumn, FormRow } from '../../workbench/filter/filter-form-rows.ts';

interface FilterFormProps {
  readonly columns: readonly FilterColumn[];
  readonly initial: FilterEntry;
  readonly isNew: boolean;
  onApply(entry: FilterEntry): void;
  onCancel(): void;
}

export function FilterForm({ columns, initial, isNew, onApply, onCancel }: FilterFormProps): ReactNode {
  const [rows, setRows] = useState(() => rowsOf(initial, columns));
  const [problem, setProblem] = useState<string | null>(null);
  const form = useFormFocus(rows.length, isNew);
  const apply = (): void => {
    const entry = entryFrom(rows, columns);
    if ('problem' in entry) setProblem(entry.problem);
    else onApply(entry);
  };
  const set = (changed: readonly FormRow[]): void => {
    setProblem(null);
    setRows(changed);
  };
  const add = (joiner: 'and' | 'or'): void => set([...rows, { ...rows.at(-1)!, joiner, text: '', to: '' }]);
  return (
    <form
      ref={form}
      className="filter-form"
      data-rows={rows.length > 1 || undefined}
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
      {rows.map((row, at) => (
        <ConditionRow
          key={at}
          row={row}
          isFirst={at === 0}
          columns={columns}
          onChange={(patch) => set(rows.map((each) => (each === row ? { ...row, ...patch } : each)))}
          onRemove={rows.length === 1 ? null : () => set(rows.filter((_row, each) => each !== at))}
        />
      ))}
      <FormButtons isNew={isNew} onAdd={add} onCancel={onCancel} />
      {problem && (
        <span className="filter-form-problem" role="alert">
          {problem}
        </span>
      )}
    </form>
  );
}

/** Moves the focus to the field to fill in: at first, and when a condition was added. */
function useFormFocus(rowCount: number, isNew: boolean): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(isNew ? 'input' : 'select')?.focus();
  }, [isNew]);
  const hadRows = useRef(rowCount);
  useEffect(() => {
    if (rowCount > hadRows.current) [...form.current!.querySelectorAll('input')].at(-1)?.focus();
    hadRows.current = rowCount;
  }, [rowCount]);
  return form;
}

interface FormButtonsProps {
  readonly isNew: boolean;
  readonly onAdd: (joiner: 'and' | 'or') => void;
  readonly onCancel: () => void;
}

function FormButtons({ isNew, onAdd, onCancel }: FormButtonsProps): ReactNode {
  return (
    <span className="filter-form-buttons">
      <Button size="small" onClick={() => onAdd('and')}>
        And…
      </Button>
      <Button size="small" onClick={() => onAdd('or')}>
        Or…
      </Button>
      <Button size="small" variant="primary" type="submit">
        {isNew ? 'Add' : 'Apply'}
      </Button>
      <Button size="small" onClick={onCancel}>
        Cancel
      </Button>
    </span>
  );
}
