// Keys over several columns, foreign keys and checks.
import { Plus, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { dropConstraint, setCheck, setForeignKey, setUnique } from '#shared/ddl/edit-table.ts';
import type { ConstraintPosition } from '#shared/ddl/edit-table.ts';
import { expressionProblem } from '#shared/ddl/expressions.ts';
import { sameName } from '#shared/ddl/names.ts';
import type {
  CheckConstraint,
  ColumnConstraint,
  ForeignKeyConstraint,
  ReferenceAction,
  TableModel,
  UniqueConstraint,
} from '#shared/ddl/table-model.ts';
import type { ForeignKeyDefinition } from '#shared/ddl/write-constraint.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, ColumnPicker, Field, Line } from './fields.tsx';
import { asWritten } from './lists.ts';

interface Placed<C extends ColumnConstraint> {
  readonly place: ConstraintPosition;
  readonly constraint: C;
}

interface ConstraintListProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: TableModel;
}

export function ConstraintList(props: ConstraintListProps): ReactNode {
  const { session, model } = props;
  const names = model.columns.map(({ name }) => name.name);
  const all = placed(model);
  const [first] = names;
  return (
    <>
      <Group
        title="Foreign keys"
        add="Add foreign key"
        onAdd={() =>
          session.change(
            setForeignKey(model, null, { columns: [first!], table: model.name.name, referencedColumns: [] }),
          )
        }
      >
        {all.map(({ place, constraint }, index) =>
          constraint.kind === 'foreign-key' ? (
            <ForeignKey key={index} {...props} place={place} constraint={constraint} names={names} />
          ) : null,
        )}
      </Group>
      <Group
        title="Unique keys"
        add="Add unique key"
        onAdd={() => session.change(setUnique(model, null, { columns: names.slice(0, 2).map((name) => ({ name })) }))}
      >
        {all.map(({ place, constraint }, index) =>
          constraint.kind === 'unique' && constraint.columns.length > 1 ? (
            <Unique key={index} {...props} place={place} constraint={constraint} names={names} />
          ) : null,
        )}
      </Group>
      <Group title="Checks" add="Add check" onAdd={() => session.change(setCheck(model, null, '1'))}>
        {all.map(({ place, constraint }, index) =>
          constraint.kind === 'check' ? (
            <CheckLine key={index} {...props} place={place} constraint={constraint} />
          ) : null,
        )}
      </Group>
    </>
  );
}

function placed({ columns, constraints }: TableModel): Placed<ColumnConstraint>[] {
  return [
    ...columns.flatMap(({ constraints: own }, column) =>
      own.map((constraint, index) => ({ place: { column, index }, constraint })),
    ),
    ...constraints.map(({ constraint }, index) => ({ place: { column: null, index }, constraint })),
  ];
}

interface GroupProps {
  readonly title: string;
  readonly add: string;
  readonly onAdd: () => void;
  readonly children: ReactNode;
}

function Group({ title, add, onAdd, children }: GroupProps): ReactNode {
  return (
    <section className="design-group" aria-label={title}>
      <div className="design-head">
        <h2>{title}</h2>
        <Button size="small" onClick={onAdd}>
          <Plus size={14} aria-hidden /> {add}
        </Button>
      </div>
      {children}
    </section>
  );
}

interface ItemProps<C extends ColumnConstraint> extends ConstraintListProps, Placed<C> {
  readonly names?: readonly string[];
}

function Remove({
  session,
  model,
  place,
  what,
}: ConstraintListProps & { place: ConstraintPosition; what: string }): ReactNode {
  return (
    <IconButton label={`Remove the ${what}`} onClick={() => session.change(dropConstraint(model, place))}>
      <Trash2 size={15} />
    </IconButton>
  );
}

function Unique(props: ItemProps<UniqueConstraint>): ReactNode {
  const { session, model, place, constraint, names = [] } = props;
  return (
    <div className="design-item">
      <ColumnPicker
        label="Unique key"
        columns={names}
        value={constraint.columns.map(({ column }) => asWritten(names, column!.name))}
        onChange={(columns) =>
          session.change(
            setUnique(model, place, { columns: columns.map((name) => ({ name })), onConflict: constraint.onConflict }),
          )
        }
      />
      <Remove {...props} what="unique key" />
    </div>
  );
}

function CheckLine(props: ItemProps<CheckConstraint>): ReactNode {
  const { session, model, place, constraint } = props;
  return (
    <div className="design-item">
      <Field
        label="Check"
        value={constraint.expression.sql}
        problemOf={expressionProblem}
        onCommit={(expression) => session.change(setCheck(model, place, expression))}
      />
      <Remove {...props} what="check" />
    </div>
  );
}

const PRIMARY_KEY = '';
const ACTIONS: readonly ReferenceAction[] = ['NO ACTION', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'CASCADE'];
const ACTION_OPTIONS = ACTIONS.map((action) => [action, action] as const);

function ForeignKey(props: ItemProps<ForeignKeyConstraint>): ReactNode {
  const { session, database, model, place, constraint, names = [] } = props;
  const tables =
    useSchema(database)
      ?.objects.filter(({ kind }) => kind === 'table')
      .map(({ name }) => name) ?? [];
  const columnsOf = useColumns(database);
  const table = asWritten([...tables, model.name.name], constraint.table.name);
  const isSelf = sameName(table, model.name.name);
  const referable = isSelf ? names : (columnsOf?.find((one) => sameName(one.table, table))?.columns ?? []);
  const columns = constraint.columns.map(({ name }) => asWritten(names, name));
  const referenced = constraint.referencedColumns.map(({ name }) => asWritten(referable, name));
  const set = (part: Partial<ForeignKeyDefinition>): void =>
    session.change(
      setForeignKey(model, place, {
        columns,
        table,
        referencedColumns: referenced,
        onDelete: constraint.onDelete,
        onUpdate: constraint.onUpdate,
        deferred: constraint.deferred,
        ...part,
      }),
    );
  return (
    <div className="design-item">
      <div className="design-key">
        <Line label="Columns">
          <ColumnPicker
            label="Foreign key"
            columns={names}
            value={columns}
            onChange={(value) => set({ columns: value })}
          />
        </Line>
        <Line label="Refers to">
          <Select
            label="Referenced table"
            value={table}
            options={[...new Set([table, ...tables])].map((name) => [name, visibleName(name)] as const)}
            onChoose={(name) => set({ table: name, referencedColumns: [] })}
          />
          <ReferencedColumns columns={columns} referable={referable} referenced={referenced} set={set} />
        </Line>
        <Action label="On delete" value={constraint.onDelete} onChoose={(onDelete) => set({ onDelete })} />
        <Action label="On update" value={constraint.onUpdate} onChoose={(onUpdate) => set({ onUpdate })} />
        <Check
          label="Checked when the transaction ends"
          isShown
          checked={constraint.deferred}
          onChange={(deferred) => set({ deferred })}
        />
      </div>
      <Remove {...props} what="foreign key" />
    </div>
  );
}

interface ActionProps {
  readonly label: string;
  /** Null: none is written, which is NO ACTION. */
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
