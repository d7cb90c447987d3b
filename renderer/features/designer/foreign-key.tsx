// One foreign key in the form of a table.
import type { ReactNode } from 'react';
import { setForeignKey } from '#shared/ddl/edit-table.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { ForeignKeyConstraint, ReferenceAction } from '#shared/ddl/table-model.ts';
import type { ForeignKeyDefinition } from '#shared/ddl/write-constraint.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { Select } from '../../ui/select.tsx';
import { Remove } from './constraint-item.tsx';
import type { ItemProps } from './constraint-item.tsx';
import { Check, ColumnPicker, Line } from './fields.tsx';
import { asWritten } from './lists.ts';
import { foreignKeyOf, NO_TABLE } from './new-foreign-key.ts';

const PRIMARY_KEY = '';
const ACTIONS: readonly ReferenceAction[] = ['NO ACTION', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'CASCADE'];
const ACTION_OPTIONS = ACTIONS.map((action) => [action, action] as const);

export function ForeignKey(props: ItemProps<ForeignKeyConstraint>): ReactNode {
  const { session, database, model, position, constraint, names } = props;
  const objects = useSchema(database)?.objects ?? [];
  const others = objects.filter(({ kind, name }) => kind === 'table' && name !== session.name);
  const tables = [model.name.name, ...others.map(({ name }) => name)];
  const columnsOf = useColumns(database);
  const table = asWritten(tables, constraint.table.name);
  const isSelf = sameName(table, model.name.name);
  const referable = isSelf ? names : (columnsOf?.find((one) => sameName(one.table, table))?.columns ?? []);
  const columns = constraint.columns.map(({ name }) => asWritten(names, name));
  const referenced = constraint.referencedColumns.map(({ name }) => asWritten(referable, name));
  const set = (part: Partial<ForeignKeyDefinition>): void =>
    session.change(
      setForeignKey(model, position, {
        columns,
        table,
        referencedColumns: referenced,
        onDelete: constraint.onDelete,
        onUpdate: constraint.onUpdate,
        deferred: constraint.deferred,
        ...part,
      }),
    );
  const chooseColumns = (value: readonly string[]): void =>
    set(
      table === NO_TABLE && value.length === 1
        ? foreignKeyOf({ model, name: session.name, objects }, value[0]!)
        : { columns: value, referencedColumns: asMany(value.length, referenced, referable) },
    );
  return (
    <>
      <div className="design-key">
        <Line label="Columns">
          <ColumnPicker label="Foreign key" columns={names} value={columns} onChange={chooseColumns} />
        </Line>
        <Line label="Refers to">
          <Select
            label="Referenced table"
            value={table}
            options={[...new Set([table, ...tables])].map(
              (name) => [name, name === NO_TABLE ? 'Choose a table…' : visibleName(name)] as const,
            )}
            onChoose={(name) => set({ table: name, referencedColumns: [] })}
          />
          {table !== NO_TABLE && (
            <ReferencedColumns columns={columns} referable={referable} referenced={referenced} set={set} />
          )}
        </Line>
        <Enforcement constraint={constraint} set={set} />
      </div>
      <Remove {...props} what="foreign key" />
    </>
  );
}

/** Returns as many columns of the other table as the key has; none, which means its primary key, if there are not enough. */
function asMany(count: number, referenced: readonly string[], referable: readonly string[]): readonly string[] {
  if (referenced.length === 0) return [];
  const all = [...referenced, ...referable.filter((name) => !referenced.includes(name))];
  return all.length < count ? [] : all.slice(0, count);
}

interface EnforcementProps {
  readonly constraint: ForeignKeyConstraint;
  readonly set: (part: Partial<ForeignKeyDefinition>) => void;
}

/** What happens when a referenced row changes, and when the key is checked. */
function Enforcement({ constraint: { onDelete, onUpdate, deferred }, set }: EnforcementProps): ReactNode {
  return (
    <>
      <Action label="On delete" value={onDelete} onChoose={(action) => set({ onDelete: action })} />
      <Action label="On update" value={onUpdate} onChoose={(action) => set({ onUpdate: action })} />
      <Check
        label="Checked when the transaction ends"
        isShown
        checked={deferred}
        onChange={(isDeferred) => set({ deferred: isDeferred })}
      />
    </>
  );
}

interface ActionProps {
  readonly label: string;
  /** Null: none is written, which means NO ACTION. */
  readonly value: ReferenceAction | null;
  readonly onChoose: (action: ReferenceAction | null) => void;
}

function Action({ label, value, onChoose }: ActionProps): ReactNode {
  return (
    <Line label={label}>
      <Select
        label={label}
        value={value ?? 'NO ACTION'}
        options={ACTION_OPTIONS}
        onChoose={(action) => onChoose(action === 'NO ACTION' ? null : action)}
      />
    </Line>
  );
}

interface ReferencedColumnsProps {
  readonly columns: readonly string[];
  readonly referable: readonly string[];
  readonly referenced: readonly string[];
  readonly set: (part: Partial<ForeignKeyDefinition>) => void;
}

/** One select for each column of the key; all of them mean the primary key, or none does. */
function ReferencedColumns({ columns, referable, referenced, set }: ReferencedColumnsProps): ReactNode {
  const choose = (index: number, name: string): void => {
    const others = (at: number): string => referenced[at] ?? referable[at] ?? name;
    set({ referencedColumns: name === PRIMARY_KEY ? [] : columns.map((_, at) => (at === index ? name : others(at))) });
  };
  return columns.map((column, index) => {
    const now = referenced[index];
    const names = [...new Set([...(now === undefined ? [] : [now]), ...referable])];
    return (
      <Select
        key={column}
        label={`Referenced column ${index + 1}`}
        value={now ?? PRIMARY_KEY}
        options={[[PRIMARY_KEY, 'Primary key'], ...names.map((name) => [name, visibleName(name)] as const)]}
        onChoose={(name) => choose(index, name)}
      />
    );
  });
}
