// Keys over several columns, foreign keys and checks.
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { setCheck, setForeignKey, setUnique } from '#shared/ddl/edit-table.ts';
import { expressionProblem } from '#shared/ddl/expressions.ts';
import type { CheckConstraint, ColumnConstraint, TableModel, UniqueConstraint } from '#shared/ddl/table-model.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { useSchema } from '../../state/schema.ts';
import { Button } from '../../ui/button.tsx';
import { Remove } from './constraint-item.tsx';
import type { ItemProps, Placed } from './constraint-item.tsx';
import type { DesignSession } from './design-session.ts';
import { ColumnPicker, Field } from './fields.tsx';
import { ForeignKey } from './foreign-key.tsx';
import { asWritten } from './lists.ts';
import { newForeignKey } from './new-foreign-key.ts';
import { useItemList } from './use-item-list.ts';

interface ConstraintListProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: TableModel;
  /** The index of the column that the user has selected; null: none. */
  readonly selected: number | null;
}

export function ConstraintList({ selected, ...props }: ConstraintListProps): ReactNode {
  const { session, database, model } = props;
  const names = model.columns.map(({ name }) => name.name);
  const all = placed(model);
  const objects = useSchema(database)?.objects ?? [];
  const own = { ...props, names };
  return (
    <>
      <Group
        title="Foreign keys"
        add="Add foreign key"
        items={all.filter((one) => isOf(one, 'foreign-key'))}
        model={model}
        onAdd={() =>
          session.change(setForeignKey(model, null, newForeignKey({ model, name: session.name, objects }, selected)))
        }
      >
        {(item) => <ForeignKey {...own} {...item} />}
      </Group>
      <Group
        title="Unique keys"
        add="Add unique key"
        items={all.filter((one) => isOf(one, 'unique')).filter(({ constraint }) => constraint.columns.length > 1)}
        model={model}
        why={names.length < 2 ? 'The table has only one column. Select Unique beside it.' : null}
        onAdd={() => session.change(setUnique(model, null, { columns: names.slice(0, 2).map((name) => ({ name })) }))}
      >
        {(item) => <Unique {...own} {...item} />}
      </Group>
      <Group
        title="Checks"
        add="Add check"
        items={all.filter((one) => isOf(one, 'check'))}
        model={model}
        onAdd={() => session.change(setCheck(model, null, '1'))}
      >
        {(item) => <CheckLine {...own} {...item} />}
      </Group>
    </>
  );
}

function placed({ columns, constraints }: TableModel): Placed<ColumnConstraint>[] {
  return [
    ...columns.flatMap(({ constraints: own }, column) =>
      own.map((constraint, index) => ({ position: { column, index }, constraint })),
    ),
    ...constraints.map(({ constraint }, index) => ({ position: { column: null, index }, constraint })),
  ];
}

function isOf<Kind extends ColumnConstraint['kind']>(
  one: Placed<ColumnConstraint>,
  kind: Kind,
): one is Placed<Extract<ColumnConstraint, { kind: Kind }>> {
  return one.constraint.kind === kind;
}

interface GroupProps<C extends ColumnConstraint> {
  readonly title: string;
  readonly add: string;
  readonly items: readonly Placed<C>[];
  readonly model: TableModel;
  /** Why none can be added. */
  readonly why?: string | null;
  readonly onAdd: () => void;
  readonly children: (item: Placed<C>) => ReactNode;
}

function Group<C extends ColumnConstraint>(props: GroupProps<C>): ReactNode {
  const { title, add, items, model, why = null, onAdd, children } = props;
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(items.map((one) => textOf(model, one)));
  return (
    <section className="design-group" aria-label={title} {...listProps}>
      <div className="design-head">
        <h2>{title}</h2>
        <Button size="small" why={why} onClick={onAdd} {...addProps}>
          <Plus size={14} aria-hidden /> {add}
        </Button>
      </div>
      {items.map((item, index) => (
        <div key={keys[index]} className="design-item" {...itemProps(index)}>
          {children(item)}
        </div>
      ))}
    </section>
  );
}

/** Text of a constraint, prefixed with the column it belongs to. */
function textOf({ text, columns }: TableModel, { position, constraint }: Placed<ColumnConstraint>): string {
  const column = position.column === null ? '' : columns[position.column]!.name.name;
  return `${column}\0${text.slice(constraint.span.from, constraint.span.to)}`;
}

function Unique(props: ItemProps<UniqueConstraint>): ReactNode {
  const { session, model, position, constraint, names } = props;
  return (
    <>
      <ColumnPicker
        label="Unique key"
        columns={names}
        value={constraint.columns.map(({ column }) => asWritten(names, column!.name))}
        onChange={(columns) =>
          session.change(
            setUnique(model, position, {
              columns: columns.map((name) => ({ name })),
              onConflict: constraint.onConflict,
            }),
          )
        }
      />
      <Remove {...props} what="unique key" />
    </>
  );
}

function CheckLine(props: ItemProps<CheckConstraint>): ReactNode {
  const { session, model, position, constraint } = props;
  return (
    <>
      <Field
        label="Check"
        value={constraint.expression.sql}
        problemOf={expressionProblem}
        onCommit={(expression) => session.change(setCheck(model, position, expression))}
      />
      <Remove {...props} what="check" />
    </>
  );
}
