// The form for whatever object a tab designs.
import type { ReactNode } from 'react';
import { parseObject, type ObjectModel } from '#shared/ddl/parse-object.ts';
import type { DesignSession } from './design-session.ts';
import { Plus } from 'lucide-react';
import {
  addIndexColumn,
  dropIndexColumn,
  moveIndexColumn,
  setIndexColumn,
  setIndexUnique,
  setIndexWhere,
} from '#shared/ddl/edit-index.ts';
import type { IndexColumnDefinition } from '#shared/ddl/edit-index.ts';
import { expressionProblem } from '#shared/ddl/expressions.ts';
import { sameName, writeName } from '#shared/ddl/names.ts';
import type { IndexModel, TriggerEvent, TriggerModel, TriggerTiming, ViewModel } from '#shared/ddl/object-models.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { Check, ColumnPicker, Field, Line, NameField, OptionalCondition, type FormProps } from './fields.tsx';
import { OrderButtons } from './order-buttons.tsx';
import { asWritten, COLLATION_OPTIONS, DEFAULT } from './lists.ts';
import { useItemList } from './use-item-list.ts';
import { TableForm } from './table-form.tsx';
import { setTriggerEvent, setTriggerTiming, setTriggerWhen } from '#shared/ddl/edit-trigger.ts';
import { moveToTable, renameObject } from '#shared/ddl/text-edits.ts';
import { goToOffset } from '../../editor/sql-editor.tsx';
import { OwnObjects } from './own-objects.tsx';
import { VirtualForm } from './virtual-form.tsx';

const EVENTS: readonly (readonly [TriggerEvent, string])[] = [
  ['INSERT', 'INSERT'],
  ['UPDATE', 'UPDATE'],
  ['DELETE', 'DELETE'],
];

/** The form of a trigger: the event that runs it, and when; its statements are SQL. */
function TriggerForm({ session, database, model }: FormProps<TriggerModel>): ReactNode {
  const objects = useSchema(database)?.objects.filter(({ kind }) => kind === 'table' || kind === 'view') ?? [];
  const names = objects.map(({ name }) => name);
  const table = asWritten(names, model.table.name);
  const isView = (name: string): boolean => objects.some((one) => one.name === name && one.kind === 'view');
  const columns = useColumns(database)?.find((one) => sameName(one.table, table))?.columns ?? [];
  const timings: readonly TriggerTiming[] = isView(table) ? ['INSTEAD OF'] : ['BEFORE', 'AFTER'];
  const of = model.columns.map(({ name }) => asWritten(columns, name));
  return (
    <section className="design-group" aria-label="Trigger">
      <NameField what="trigger" name={model.name.name} onRename={(name) => session.change(renameObject(model, name))} />
      <Line label="Runs">
        <Select
          label="Timing"
          value={model.timing}
          options={[...new Set([model.timing, ...timings])].map((timing) => [timing, timing] as const)}
          onChoose={(timing) => session.change(setTriggerTiming(model, timing))}
        />
        <Select
          label="Event"
          value={model.event}
          options={EVENTS}
          onChoose={(event) => session.change(setTriggerEvent(model, event, event === 'UPDATE' ? of : []))}
        />
      </Line>
      <Line label="On">
        <Select
          label="Table or view"
          value={table}
          options={[...new Set([table, ...names])].map((name) => [name, visibleName(name)] as const)}
          onChoose={(name) => session.change(onTable(model, name, isView(name)))}
        />
      </Line>
      {model.event === 'UPDATE' && (
        <Line label="Of columns">
          <ColumnPicker
            label="Of columns"
            columns={columns}
            value={of}
            canBeEmpty
            onChange={(chosen) => session.change(setTriggerEvent(model, 'UPDATE', chosen))}
          />
        </Line>
      )}
      <OptionalCondition
        label="Only when"
        value={model.when?.sql ?? ''}
        onCommit={(condition) => session.change(setTriggerWhen(model, condition))}
      />
      <TextButton session={session} label="Statements" text="Edit the statements" offset={model.body.span.from} />
    </section>
  );
}

/** Only a view has INSTEAD OF triggers, and it has no others (sqlite.org/lang_createtrigger.html). */
function onTable(model: TriggerModel, name: string, isView: boolean): string {
  const moved = moveToTable(model, name);
  if (isView === (model.timing === 'INSTEAD OF')) return moved;
  const next = parseObject(moved);
  if (!next.understood || next.kind !== 'trigger') return moved;
  return setTriggerTiming(next, isView ? 'INSTEAD OF' : 'AFTER');
}

/** The form of an index: its table, its columns and expressions in order, and the rows it covers. */
function IndexForm({ session, database, model }: FormProps<IndexModel>): ReactNode {
  const tables = useSchema(database)?.objects.filter(({ kind }) => kind === 'table') ?? [];
  const names = tables.map(({ name }) => name);
  const table = asWritten(names, model.table.name);
  return (
    <>
      <section className="design-group" aria-label="Index">
        <NameField what="index" name={model.name.name} onRename={(name) => session.change(renameObject(model, name))} />
        <Line label="Table">
          <Select
            label="Table"
            value={table}
            options={[...new Set([table, ...names])].map((name) => [name, visibleName(name)] as const)}
            onChoose={(name) => session.change(moveToTable(model, name))}
          />
        </Line>
        <div className="design-options">
          <Check
            label="UNIQUE"
            isShown
            checked={model.unique !== null}
            onChange={(isUnique) => session.change(setIndexUnique(model, isUnique))}
          />
        </div>
      </section>
      <IndexColumns session={session} database={database} model={model} />
      <section className="design-group" aria-labelledby="design-rows">
        <h2 id="design-rows">Rows</h2>
        <OptionalCondition
          label="Only where"
          value={model.where?.sql ?? ''}
          onCommit={(condition) => session.change(setIndexWhere(model, condition))}
        />
      </section>
    </>
  );
}

function IndexColumns({ session, database, model }: FormProps<IndexModel>): ReactNode {
  const columns = useColumns(database)?.find(({ table }) => sameName(table, model.table.name))?.columns ?? [];
  const used = model.columns.flatMap(({ column }) => (column === null ? [] : [column.name]));
  const free = columns.find((name) => !used.some((one) => sameName(one, name))) ?? columns[0];
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    model.columns.map(({ span }) => model.text.slice(span.from, span.to)),
  );
  const add = (column: IndexColumnDefinition): void =>
    session.change(addIndexColumn(model, model.columns.length, column));
  return (
    <section className="design-group" aria-labelledby="design-columns" {...listProps}>
      <div className="design-head">
        <h2 id="design-columns">Columns</h2>
        <Button size="small" disabled={free === undefined} onClick={() => add({ column: free! })} {...addProps}>
          <Plus size={14} aria-hidden /> Add column
        </Button>
        <Button size="small" onClick={() => add({ expression: startOfExpression(free) })} {...addProps}>
          <Plus size={14} aria-hidden /> Add expression
        </Button>
      </div>
      <ol>
        {model.columns.map((_, index) => (
          <li key={keys[index]} className="design-part" {...itemProps(index)}>
            <IndexColumn session={session} model={model} index={index} columns={columns} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface IndexColumnProps {
  readonly session: DesignSession;
  readonly model: IndexModel;
  readonly index: number;
  readonly columns: readonly string[];
}

const EXPRESSION = '';
const ORDERS = [
  ['ASC', 'Ascending'],
  ['DESC', 'Descending'],
] as const;

function IndexColumn({ session, model, index, columns }: IndexColumnProps): ReactNode {
  const { column, expression, collation, order } = model.columns[index]!;
  const name = column === null ? null : asWritten(columns, column.name);
  const what: IndexColumnDefinition = name === null ? { expression: expression.sql } : { column: name };
  const set = (part: Pick<IndexColumnDefinition, 'collation' | 'order'>, now = what): void =>
    session.change(setIndexColumn(model, index, { ...now, collation: collation?.name ?? null, order, ...part }));
  const choose = (chosen: string): void =>
    set({}, chosen === EXPRESSION ? { expression: startOfExpression(name ?? columns[0]) } : { column: chosen });
  const number = index + 1;
  const collated = collation?.name.toUpperCase() ?? DEFAULT;
  return (
    <>
      <Select
        label={`Column ${number}`}
        value={name ?? EXPRESSION}
        options={[
          ...[...new Set([...(name === null ? [] : [name]), ...columns])].map(
            (one) => [one, visibleName(one)] as const,
          ),
          [EXPRESSION, 'Expression'],
        ]}
        onChoose={choose}
      />
      {name === null && (
        <Field
          label={`Expression ${number}`}
          value={expression.sql}
          problemOf={expressionProblem}
          onCommit={(sql) => set({}, { expression: sql })}
        />
      )}
      <span className="row gap-4 push-end">
        <Select
          label={`Collation of column ${number}`}
          value={collated}
          options={[
            ...COLLATION_OPTIONS,
            ...(COLLATION_OPTIONS.some(([one]) => one === collated) ? [] : [[collated, collated] as const]),
          ]}
          onChoose={(chosen) => set({ collation: chosen === DEFAULT ? null : chosen })}
        />
        <Select
          label={`Order of column ${number}`}
          value={order ?? 'ASC'}
          options={ORDERS}
          onChoose={(chosen) => set({ order: chosen === 'ASC' ? null : chosen })}
        />
        <OrderButtons
          what={`column ${number}`}
          index={index}
          count={model.columns.length}
          onMove={(to) => session.change(moveIndexColumn(model, index, to))}
          onRemove={() => session.change(dropIndexColumn(model, index))}
        />
      </span>
    </>
  );
}

/** SQLite does not allow constants here, so it begins with a column. */
function startOfExpression(column: string | undefined): string {
  return column === undefined ? '(1)' : `lower(${writeName(column)})`;
}

export function ObjectForm({ model, ...rest }: FormProps<ObjectModel>): ReactNode {
  switch (model.kind) {
    case 'table':
      return <TableForm {...rest} model={model} />;
    case 'index':
      return <IndexForm {...rest} model={model} />;
    case 'view':
      return <ViewForm {...rest} model={model} />;
    case 'trigger':
      return <TriggerForm {...rest} model={model} />;
    case 'virtual':
      return <VirtualForm {...rest} model={model} />;
  }
}

/** The form of a view: its name, the way to its query, and its triggers. */
function ViewForm({ session, database, model }: FormProps<ViewModel>): ReactNode {
  return (
    <>
      <section className="design-group" aria-label="View">
        <NameField what="view" name={model.name.name} onRename={(name) => session.change(renameObject(model, name))} />
        <TextButton session={session} label="Query" text="Edit the query" offset={model.query.span.from} />
      </section>
      <OwnObjects session={session} database={database} kinds={['trigger']} />
    </>
  );
}

interface TextButtonProps {
  readonly session: DesignSession;
  readonly label: string;
  readonly text: string;
  /** Offset in the text of the editor. */
  readonly offset: number;
}

/** A part that is edited as SQL. */
function TextButton({ session, label, text, offset }: TextButtonProps): ReactNode {
  return (
    <Line label={label}>
      <Button size="small" onClick={() => session.editor.view && goToOffset(session.editor.view, offset)}>
        {text}
      </Button>
    </Line>
  );
}
