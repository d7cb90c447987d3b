// The form of a table: its name and options, its columns, its keys and checks.
import { useRef, useState, type ReactNode } from 'react';
import {
  constraintAt,
  positionOfPrimaryKey,
  renameTable,
  setCheck,
  setForeignKey,
  setOption,
  setPrimaryKey,
  setUnique,
} from '#shared/ddl/edit-table.ts';
import type {
  CheckConstraint,
  ColumnConstraint,
  ForeignKeyConstraint,
  GeneratedConstraint,
  ReferenceAction,
  TableModel,
  UniqueConstraint,
} from '#shared/ddl/table-model.ts';
import { setCollation, setComment, setDefault, setGenerated } from '#shared/ddl/edit-columns.ts';
import { expressionProblem } from '#shared/ddl/expressions.ts';
import { visibleName } from '#shared/visible-text.ts';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, ColumnPicker, Field, Line, NameField, type FormProps } from './fields.tsx';
import { ColumnList } from './column-list.tsx';
import { Plus } from 'lucide-react';
import { useColumns, useSchema } from '../../state/schema.ts';
import { Button } from '../../ui/button.tsx';
import { Remove, type ItemProps, type Placed } from './constraint-item.tsx';
import { sameName } from '#shared/ddl/names.ts';
import type { ForeignKeyDefinition } from '#shared/ddl/write-constraint.ts';
import { asWritten } from './lists.ts';
import { foreignKeyOf, newForeignKey, NO_TABLE } from './new-foreign-key.ts';
import { useItemList } from './use-item-list.ts';
import { OwnObjects } from './own-objects.tsx';
import { StrictNote } from './strict-note.tsx';

const PRIMARY_KEY = '';
const ACTIONS: readonly ReferenceAction[] = ['NO ACTION', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'CASCADE'];
const ACTION_OPTIONS = ACTIONS.map((action) => [action, action] as const);

function ForeignKey(props: ItemProps<ForeignKeyConstraint>): ReactNode {
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

const NONE = '';
const COLLATIONS = ['NOCASE', 'RTRIM', 'BINARY'];

interface ColumnDetailsProps {
  readonly session: DesignSession;
  readonly model: TableModel;
  readonly index: number;
}

/** Properties of a column besides name and type: default, collation, computation, comment. */
function ColumnDetails({ session, model, index }: ColumnDetailsProps): ReactNode {
  const column = model.columns[index]!;
  const last = <Kind extends ColumnConstraint['kind']>(kind: Kind) =>
    column.constraints.filter((one): one is Extract<ColumnConstraint, { kind: Kind }> => one.kind === kind).at(-1);
  const collation = last('collate')?.collation.name ?? NONE;
  return (
    <section className="design-group" aria-labelledby="design-column">
      <h2 id="design-column">Column “{visibleName(column.name.name)}”</h2>
      <Line label="Default">
        <Field
          label="Default"
          value={last('default')?.value.sql ?? ''}
          placeholder="NULL"
          problemOf={(sql) => (sql.trim() === '' ? null : expressionProblem(sql))}
          onCommit={(sql) => session.change(setDefault(model, index, sql.trim() === '' ? null : asDefault(sql)))}
        />
      </Line>
      <Line label="Collation">
        <Select
          label="Collation"
          value={collation}
          options={[
            [NONE, 'Default'],
            ...[...new Set([...(collation === NONE ? [] : [collation]), ...COLLATIONS])].map(
              (name) => [name, name] as const,
            ),
          ]}
          onChoose={(name) => session.change(setCollation(model, index, name === NONE ? null : name))}
        />
      </Line>
      <Computed session={session} model={model} index={index} generated={last('generated') ?? null} />
      <Line label="Comment">
        <Field
          label="Comment"
          value={column.comment?.text ?? ''}
          onCommit={(comment) => session.change(setComment(model, index, comment))}
        />
      </Line>
      <Autoincrement session={session} model={model} index={index} />
    </section>
  );
}

function Computed({
  session,
  model,
  index,
  generated,
}: ColumnDetailsProps & { generated: GeneratedConstraint | null }): ReactNode {
  const set = (expression: string, storage: GeneratedConstraint['storage']): void =>
    session.change(setGenerated(model, index, expression.trim() === '' ? null : { expression, storage }));
  return (
    <Line label="Computed as">
      <Field
        label="Computed as"
        value={generated?.expression.sql ?? ''}
        placeholder="Expression"
        problemOf={(sql) => (sql.trim() === '' ? null : expressionProblem(sql))}
        onCommit={(expression) => set(expression, generated?.storage ?? 'virtual')}
      />
      {generated && (
        <Select
          label="Computed when"
          value={generated.storage}
          options={[
            ['virtual', 'When read'],
            ['stored', 'When written'],
          ]}
          onChoose={(storage) => set(generated.expression.sql, storage)}
        />
      )}
    </Line>
  );
}

/** Shown only for an INTEGER column that is the whole primary key. */
function Autoincrement({ session, model, index }: ColumnDetailsProps): ReactNode {
  const { type, name } = model.columns[index]!;
  const position = positionOfPrimaryKey(model);
  const key = position && constraintAt(model, position);
  if (key?.kind !== 'primary-key' || key.columns.length !== 1) return null;
  if (key.columns[0]!.column!.name.toLowerCase() !== name.name.toLowerCase() || type?.sql.toUpperCase() !== 'INTEGER')
    return null;
  return (
    <Check
      label="AUTOINCREMENT"
      isShown
      checked={key.autoincrement}
      onChange={(autoincrement) =>
        session.change(
          setPrimaryKey(model, { columns: [{ name: name.name }], autoincrement, onConflict: key.onConflict }),
        )
      }
    />
  );
}

/** Literals unchanged, everything else in parentheses, as SQLite requires. */
function asDefault(sql: string): string {
  const text = sql.trim();
  const isLiteral = /^(?:[-+]?\s*\d[\w.+-]*|'(?:[^']|'')*'|[xX]'[\da-fA-F]*'|\w+|\([^]*\))$/.test(text);
  return isLiteral ? text : `(${text})`;
}

export function TableForm({ session, database, model }: FormProps<TableModel>): ReactNode {
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

interface ConstraintListProps extends FormProps<TableModel> {
  /** The index of the column that the user has selected; null: none. */
  readonly selected: number | null;
}

/** Keys over several columns, foreign keys and checks. */
function ConstraintList({ selected, ...props }: ConstraintListProps): ReactNode {
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
        <div key={keys[index]} className="gap-6 design-item" {...itemProps(index)}>
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
