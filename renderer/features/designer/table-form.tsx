// The form of a table: its name and options, its columns, its keys and checks.
import type { ReactNode } from 'react';
import { useRef, useState } from 'react';
import { renameTable, setOption } from '#shared/ddl/edit-table.ts';
import type { TableModel } from '#shared/ddl/table-model.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { ColumnDetails } from './column-details.tsx';
import { ColumnList } from './column-list.tsx';
import { ConstraintList } from './constraint-list.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, NameField } from './fields.tsx';
import { OwnObjects } from './own-objects.tsx';
import { StrictNote } from './strict-note.tsx';

interface TableFormProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: TableModel;
}

export function TableForm({ session, database, model }: TableFormProps): ReactNode {
  const [chosen, setChosen] = useState<number | null>(null);
  const strict = useRef<HTMLInputElement>(null);
  const selected = Math.min(chosen ?? 0, model.columns.length - 1);
  return (
    <>
      <section className="design-group" aria-label="Table">
        <NameField what="table" name={model.name.name} onRename={(name) => session.change(renameTable(model, name))} />
        <div className="design-options">
          <Check
            inputRef={strict}
            label="STRICT"
            isShown
            checked={model.strict}
            onChange={(isOn) => session.change(setOption(model, 'strict', isOn))}
          />
          <Check
            label="WITHOUT ROWID"
            isShown
            checked={model.withoutRowid}
            onChange={(isOn) => session.change(setOption(model, 'without-rowid', isOn))}
          />
        </div>
        <StrictNote session={session} model={model} onConverted={() => strict.current?.focus()} />
      </section>
      <ColumnList session={session} database={database} model={model} selected={selected} onSelect={setChosen} />
      <ColumnDetails key={selected} session={session} model={model} index={selected} />
      <ConstraintList
        session={session}
        database={database}
        model={model}
        selected={chosen === null ? null : selected}
      />
      <OwnObjects session={session} database={database} kinds={['index', 'trigger']} />
    </>
  );
}
