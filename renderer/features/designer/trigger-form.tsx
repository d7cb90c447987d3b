// The form of a trigger: the event that runs it, and when; its statements are SQL.
import type { ReactNode } from 'react';
import {
  renameTrigger,
  setTriggerEvent,
  setTriggerTable,
  setTriggerTiming,
  setTriggerWhen,
} from '#shared/ddl/edit-trigger.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { TriggerEvent, TriggerModel, TriggerTiming } from '#shared/ddl/object-models.ts';
import { parseObject } from '#shared/ddl/parse-object.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { ColumnPicker, Line, NameField, OptionalCondition } from './fields.tsx';
import { asWritten } from './lists.ts';
import { TextButton } from './view-form.tsx';

const EVENTS: readonly (readonly [TriggerEvent, string])[] = [
  ['INSERT', 'INSERT'],
  ['UPDATE', 'UPDATE'],
  ['DELETE', 'DELETE'],
];

interface TriggerFormProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: TriggerModel;
}

export function TriggerForm({ session, database, model }: TriggerFormProps): ReactNode {
  const objects = useSchema(database)?.objects.filter(({ kind }) => kind === 'table' || kind === 'view') ?? [];
  const names = objects.map(({ name }) => name);
  const table = asWritten(names, model.table.name);
  const isView = (name: string): boolean => objects.some((one) => one.name === name && one.kind === 'view');
  const columns = useColumns(database)?.find((one) => sameName(one.table, table))?.columns ?? [];
  const timings: readonly TriggerTiming[] = isView(table) ? ['INSTEAD OF'] : ['BEFORE', 'AFTER'];
  const of = model.columns.map(({ name }) => asWritten(columns, name));
  return (
    <section className="design-group" aria-label="Trigger">
      <NameField
        what="trigger"
        name={model.name.name}
        onRename={(name) => session.change(renameTrigger(model, name))}
      />
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
  const moved = setTriggerTable(model, name);
  if (isView === (model.timing === 'INSTEAD OF')) return moved;
  const next = parseObject(moved);
  if (!next.understood || next.kind !== 'trigger') return moved;
  return setTriggerTiming(next, isView ? 'INSTEAD OF' : 'AFTER');
}
