// The form of an FTS5 table: the source of its text, its columns, how text is split into words, and what the index keeps.
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { renameArgument } from '#shared/ddl/edit-virtual.ts';
import {
  addFullTextColumn,
  dropFullTextColumn,
  moveFullTextColumn,
  setFullTextContent,
  setFullTextOption,
  setUnindexed,
  syncTriggers,
} from '#shared/ddl/full-text.ts';
import type { FullTextModel, FullTextOption } from '#shared/ddl/full-text.ts';
import { sameName } from '#shared/ddl/names.ts';
import type { DatabaseId } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { DesignSession } from './design-session.ts';
import { Check, Field, Line } from './fields.tsx';
import { asWritten, freeName, moved, takenProblem, without } from './lists.ts';
import { OrderButtons } from './order-buttons.tsx';
import { TokenizerFields } from './tokenizer-fields.tsx';
import { useItemList } from './use-item-list.ts';

interface FullTextFormProps {
  readonly session: DesignSession;
  readonly database: DatabaseId;
  readonly model: FullTextModel;
}

export function FullTextForm({ session, database, model }: FullTextFormProps): ReactNode {
  const { content } = model;
  const columns = useColumns(database);
  const known = content.kind === 'external' ? columns?.find(({ table }) => sameName(table, content.table)) : undefined;
  return (
    <>
      <ContentFields session={session} database={database} model={model} known={known?.columns ?? []} />
      <Columns session={session} model={model} known={known?.columns ?? []} />
      <TokenizerFields session={session} model={model} />
      <IndexFields session={session} model={model} />
    </>
  );
}

interface PartProps {
  readonly session: DesignSession;
  readonly model: FullTextModel;
  /** Columns of the table that contains the text. */
  readonly known: readonly string[];
}

const CONTENT_KINDS = [
  ['own', 'In this table'],
  ['external', 'In another table or view'],
  ['none', 'Nowhere: only the index'],
] as const;

function ContentFields({
  session,
  database,
  model,
  known,
}: PartProps & Pick<FullTextFormProps, 'database'>): ReactNode {
  const { content } = model;
  const names = (useSchema(database)?.objects ?? [])
    .filter(({ kind }) => kind === 'table' || kind === 'view')
    .map(({ name }) => name);
  const set = (next: FullTextModel['content']): void =>
    session.change(setFullTextContent(model, next), session.identity);
  const chosen = content.kind === 'external' ? asWritten(names, content.table) : '';
  const rowids = content.kind === 'external' ? [...new Set([content.rowid, 'rowid', ...known])] : [];
  const choose = (kind: FullTextModel['content']['kind']): void =>
    set(kind === 'external' ? { kind, table: names[0] ?? 'content', rowid: 'rowid' } : { kind });
  return (
    <section className="design-group" aria-label="Text">
      <Line label="Text">
        <Select label="Where the text is" value={content.kind} options={CONTENT_KINDS} onChoose={choose} />
      </Line>
      {content.kind === 'external' && (
        <>
          <Line label="From">
            <Select
              label="Table with the text"
              value={chosen}
              options={[...new Set([chosen, ...names])].map((name) => [name, visibleName(name)] as const)}
              onChoose={(table) => set({ kind: 'external', table, rowid: 'rowid' })}
            />
          </Line>
          <Line label="Row id">
            <Select
              label="Column with the row id"
              value={content.rowid}
              options={rowids.map((name) => [name, visibleName(name)] as const)}
              onChoose={(rowid) => set({ ...content, rowid })}
            />
          </Line>
          {!session.isNew && <SyncTriggers database={database} model={model} />}
        </>
      )}
      {content.kind === 'none' && (
        <Check
          label="Rows can be deleted"
          isShown
          checked={model.options['contentless_delete'] === '1'}
          onChange={(isOn) =>
            session.change(setFullTextOption(model, 'contentless_delete', isOn ? '1' : null), session.identity)
          }
        />
      )}
    </section>
  );
}

function SyncTriggers({ database, model }: Pick<FullTextFormProps, 'database' | 'model'>): ReactNode {
  const sql = syncTriggers(model);
  if (sql === null) return null;
  return (
    <Line label="Triggers">
      <Button size="small" onClick={() => void openQuery(database, { title: 'Triggers', sql })}>
        Write triggers that keep it up to date…
      </Button>
    </Line>
  );
}

function Columns({ session, model, known }: PartProps): ReactNode {
  const names = model.columns.map(({ name }) => name);
  const { identity } = session;
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    model.columns.map(({ index }) => model.statement.arguments[index]!.part.sql),
  );
  const next = known.find((column) => !names.some((name) => sameName(name, column))) ?? freeName(names, 'column_');
  return (
    <section className="design-group" aria-labelledby="design-columns" {...listProps}>
      <div className="design-head">
        <h2 id="design-columns">Columns</h2>
        <Button
          size="small"
          onClick={() => session.change(addFullTextColumn(model, next), [...identity, null])}
          {...addProps}
        >
          <Plus size={14} aria-hidden /> Add column
        </Button>
      </div>
      <datalist id="design-text-columns">
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ol className="design-parts">
        {model.columns.map(({ name, unindexed, index }, at) => (
          <li key={keys[at]} className="design-part" {...itemProps(at)}>
            <Field
              label={`Name of column ${at + 1}`}
              value={name}
              list="design-text-columns"
              problemOf={takenProblem(names, name)}
              onCommit={(to) => session.change(renameArgument(model.statement, index, to), identity)}
            />
            <span className="design-part-end">
              <Check
                label={`Searched: ${visibleName(name)}`}
                words="Searched"
                isShown
                checked={!unindexed}
                onChange={(isSearched) => session.change(setUnindexed(model, at, !isSearched), identity)}
              />
              <OrderButtons
                what={`column ${at + 1}`}
                index={at}
                count={names.length}
                onMove={(to) => session.change(moveFullTextColumn(model, at, to), moved(identity, at, to))}
                onRemove={() => session.change(dropFullTextColumn(model, at), without(identity, at))}
              />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const DETAILS = [
  ['full', 'Positions in columns'],
  ['column', 'Columns'],
  ['none', 'Rows only'],
] as const;

function IndexFields({ session, model }: Pick<PartProps, 'session' | 'model'>): ReactNode {
  const { options } = model;
  const set = (option: FullTextOption, value: string | null): void =>
    session.change(setFullTextOption(model, option, value), session.identity);
  const detail = DETAILS.find(([one]) => one === options['detail']?.toLowerCase())?.[0] ?? 'full';
  return (
    <section className="design-group" aria-labelledby="design-index">
      <h2 id="design-index">Index</h2>
      <Line label="Prefixes">
        <Field
          label="Prefixes"
          value={options['prefix'] ?? ''}
          placeholder="None; 2 3 finds words by their first two or three letters"
          problemOf={(value) => (/^[\s\d]*$/.test(value) ? null : 'Lengths from 1 to 999, separated by spaces.')}
          onCommit={(value) => set('prefix', value.trim() === '' ? null : value.trim())}
        />
      </Line>
      <Line label="Keeps">
        <Select
          label="What the index keeps"
          value={detail}
          options={DETAILS}
          onChoose={(value) => set('detail', value === 'full' ? null : value)}
        />
      </Line>
      <Check
        label="Keep text lengths for ranking"
        isShown
        checked={options['columnsize'] !== '0'}
        onChange={(isOn) => set('columnsize', isOn ? null : '0')}
      />
    </section>
  );
}
