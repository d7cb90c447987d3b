// The form of a virtual table, as its module determines.
import type { ReactNode } from 'react';
import { renameArgument, setModule } from '#shared/ddl/edit-virtual.ts';
import {
  addFullTextColumn,
  dropFullTextColumn,
  fullTextOf,
  moveFullTextColumn,
  readTokenizer,
  setFullTextContent,
  setFullTextOption,
  setUnindexed,
  syncTriggers,
  writeTokenizer,
} from '#shared/ddl/full-text.ts';
import type { VirtualTableModel } from '#shared/ddl/object-models.ts';
import {
  addAuxiliary,
  addDimension,
  columnsOfRTree,
  dropAuxiliary,
  dropDimension,
  MOST_DIMENSIONS,
  rtreeOf,
  setAuxiliaryType,
} from '#shared/ddl/rtree.ts';
import { Check, Field, Line, NameField, type FormProps } from './fields.tsx';
import { Plus, Trash2 } from 'lucide-react';
import type { FullTextModel, FullTextOption, Tokenizer } from '#shared/ddl/full-text.ts';
import { sameName } from '#shared/ddl/names.ts';
import { visibleName } from '#shared/visible-text.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { openQuery } from '../../workbench/tabs/query.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { asWritten, DEFAULT, freeName, moved, spliced, takenProblem, without } from './lists.ts';
import { OrderButtons } from './order-buttons.tsx';
import { REMOVES, useItemList } from './use-item-list.ts';
import type { RTreeColumn, RTreeModel } from '#shared/ddl/rtree.ts';
import { renameObject } from '#shared/ddl/text-edits.ts';

const TOKENIZERS = [
  ['unicode61', 'Words of any language (unicode61)'],
  ['ascii', 'Words of ASCII letters (ascii)'],
  ['trigram', 'Any three characters (trigram)'],
] as const;

/** How an FTS5 table turns text into words: the tokenizer and its options. */
function TokenizerFields({ session, model }: Pick<FormProps<FullTextModel>, 'session' | 'model'>): ReactNode {
  const tokenizer = readTokenizer(model.options['tokenize']);
  const set = (part: Partial<Tokenizer>): void =>
    session.change(setFullTextOption(model, 'tokenize', writeTokenizer({ ...tokenizer, ...part })), session.identity);
  const value = (key: string): string => tokenizer.options.find(([one]) => one === key)?.[1] ?? DEFAULT;
  const setOption = (key: string, text: string): void => {
    const isThere = tokenizer.options.some(([one]) => one === key);
    const replaced = tokenizer.options.map(([one, old]) => [one, one === key ? text : old] as const);
    const all = isThere ? replaced : [...tokenizer.options, [key, text] as const];
    set({ options: all.filter(([one, now]) => one !== key || now !== DEFAULT) });
  };
  const isKnown = TOKENIZERS.some(([name]) => name === tokenizer.name);
  const isWords = tokenizer.name === 'unicode61' || tokenizer.name === 'ascii';
  return (
    <section className="design-group" aria-labelledby="design-words">
      <h2 id="design-words">Words</h2>
      <Line label="Tokenizer">
        <Select
          label="Tokenizer"
          value={tokenizer.name}
          options={[...TOKENIZERS, ...(isKnown ? [] : [[tokenizer.name, tokenizer.name] as const])]}
          onChoose={(name) => set({ name, options: [], stems: tokenizer.stems && name !== 'trigram' })}
        />
      </Line>
      {isWords && (
        <Check
          label="Match English words by their stem (porter)"
          isShown
          checked={tokenizer.stems}
          onChange={(stems) => set({ stems })}
        />
      )}
      {tokenizer.name === 'unicode61' && (
        <Line label="Accents">
          <Select
            label="Accents"
            value={value('remove_diacritics')}
            options={ACCENTS}
            onChoose={(text) => setOption('remove_diacritics', text)}
          />
        </Line>
      )}
      {isWords && <Characters value={value} onSet={setOption} />}
      {tokenizer.name === 'trigram' && (
        <Check
          label="Case-sensitive"
          isShown
          checked={value('case_sensitive') === '1'}
          onChange={(isOn) => setOption('case_sensitive', isOn ? '1' : DEFAULT)}
        />
      )}
    </section>
  );
}

interface CharactersProps {
  readonly value: (option: string) => string;
  readonly onSet: (option: string, text: string) => void;
}

function Characters({ value, onSet }: CharactersProps): ReactNode {
  return CHARACTERS.map(([key, label, placeholder]) => (
    <Line key={key} label={label}>
      <Field label={label} value={value(key)} placeholder={placeholder} onCommit={(text) => onSet(key, text)} />
    </Line>
  ));
}

const ACCENTS = [
  [DEFAULT, 'Default'],
  ['0', 'Kept'],
  ['1', 'Ignored, except several on one letter'],
  ['2', 'Ignored'],
] as const;

const CHARACTERS = [
  ['tokenchars', 'Part of words', 'Additional characters in words, such as -_'],
  ['separators', 'Separators', 'Additional characters that separate words'],
] as const;

/** The form of an R-Tree table: its dimensions, the type of its coordinates, and its additional columns. */
function RTreeForm({ session, model }: Omit<FormProps<RTreeModel>, 'database'>): ReactNode {
  const { id } = model;
  const names = columnsOfRTree(model).map(({ name }) => name);
  const { identity } = session;
  const name = (column: RTreeColumn, label: string): ReactNode => (
    <Field
      label={label}
      value={column.name}
      problemOf={takenProblem(names, column.name)}
      onCommit={(to) => session.change(renameArgument(model.statement, column.index, to), identity)}
    />
  );
  return (
    <>
      <section className="design-group" aria-label="R-Tree">
        <Line label="Coordinates">
          <Select
            label="Coordinates"
            value={model.integers ? 'rtree_i32' : 'rtree'}
            options={KINDS}
            onChoose={(module) => session.change(setModule(model.statement, module), identity)}
          />
        </Line>
        {id && <Line label="Row id">{name(id, 'Name of the row id')}</Line>}
      </section>
      <Dimensions session={session} model={model} names={names} renderName={name} />
      <AuxiliaryColumns session={session} model={model} names={names} renderName={name} />
    </>
  );
}

const KINDS = [
  ['rtree', 'Floating-point numbers (32 bits)'],
  ['rtree_i32', 'Integers (32 bits)'],
] as const;

interface ColumnsProps extends Omit<FormProps<RTreeModel>, 'database'> {
  readonly names: readonly string[];
  readonly renderName: (column: RTreeColumn, label: string) => ReactNode;
}

function Dimensions({ session, model, names, renderName }: ColumnsProps): ReactNode {
  const { coordinates } = model;
  const { identity } = session;
  const dimensions = Array.from({ length: Math.ceil(coordinates.length / 2) }, (_, at) =>
    coordinates.slice(2 * at, 2 * at + 2),
  );
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    dimensions.map((pair) => pair.map(({ index }) => model.statement.arguments[index]!.part.sql).join()),
  );
  const addOne = (): void => {
    const least = freeName(names, 'min_');
    const text = addDimension(model, least, freeName([...names, least], 'max_'));
    session.change(text, spliced(identity, 1 + coordinates.length, 0, null, null));
  };
  return (
    <section className="design-group" aria-labelledby="design-dimensions" {...listProps}>
      <div className="design-head">
        <h2 id="design-dimensions">Dimensions</h2>
        <Button
          size="small"
          why={dimensions.length < MOST_DIMENSIONS ? null : `An R-Tree has at most ${MOST_DIMENSIONS} dimensions.`}
          onClick={addOne}
          {...addProps}
        >
          <Plus size={14} aria-hidden /> Add dimension
        </Button>
      </div>
      {dimensions.map((pair, at) => (
        <div key={keys[at]} className="design-part" {...itemProps(at)}>
          {renderName(pair[0]!, `Smallest value of dimension ${at + 1}`)}
          {pair[1] && renderName(pair[1], `Greatest value of dimension ${at + 1}`)}
          <IconButton
            {...REMOVES}
            label={`Remove dimension ${at + 1}`}
            isOff={dimensions.length === 1}
            onClick={() => session.change(dropDimension(model, at), spliced(identity, 1 + 2 * at, pair.length))}
          >
            <Trash2 size={15} />
          </IconButton>
        </div>
      ))}
    </section>
  );
}

function AuxiliaryColumns({ session, model, names, renderName }: ColumnsProps): ReactNode {
  const { auxiliary, coordinates } = model;
  const { identity } = session;
  const { keys, listProps, itemProps, addProps } = useItemList<HTMLElement>(
    auxiliary.map(({ index }) => model.statement.arguments[index]!.part.sql),
  );
  return (
    <section className="design-group" aria-labelledby="design-auxiliary" {...listProps}>
      <div className="design-head">
        <h2 id="design-auxiliary">Auxiliary columns</h2>
        <Button
          size="small"
          onClick={() => session.change(addAuxiliary(model, freeName(names, 'column_')), [...identity, null])}
          {...addProps}
        >
          <Plus size={14} aria-hidden /> Add column
        </Button>
      </div>
      {auxiliary.map((column, at) => (
        <div key={keys[at]} className="design-part" {...itemProps(at)}>
          {renderName(column, `Name of column ${at + 1}`)}
          <Field
            label={`Type of ${visibleName(column.name)}`}
            value={column.type}
            placeholder="No type"
            onCommit={(type) => session.change(setAuxiliaryType(model, at, type), identity)}
          />
          <IconButton
            {...REMOVES}
            label={`Remove column ${at + 1}`}
            onClick={() => session.change(dropAuxiliary(model, at), spliced(identity, 1 + coordinates.length + at, 1))}
          >
            <Trash2 size={15} />
          </IconButton>
        </div>
      ))}
    </section>
  );
}

/** The form of an FTS5 table: the source of its text, its columns, how text is split into words, and what the index keeps. */
function FullTextForm({ session, database, model }: FormProps<FullTextModel>): ReactNode {
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

interface PartProps extends Omit<FormProps<FullTextModel>, 'database'> {
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
}: PartProps & Pick<FormProps<FullTextModel>, 'database'>): ReactNode {
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

function SyncTriggers({ database, model }: Pick<FormProps<FullTextModel>, 'database' | 'model'>): ReactNode {
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
      <ol>
        {model.columns.map(({ name, unindexed, index }, at) => (
          <li key={keys[at]} className="design-part" {...itemProps(at)}>
            <Field
              label={`Name of column ${at + 1}`}
              value={name}
              list="design-text-columns"
              problemOf={takenProblem(names, name)}
              onCommit={(to) => session.change(renameArgument(model.statement, index, to), identity)}
            />
            <span className="row gap-4 push-end">
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

export function VirtualForm({ session, database, model }: FormProps<VirtualTableModel>): ReactNode {
  const fullText = fullTextOf(model);
  const rtree = rtreeOf(model);
  return (
    <>
      <section className="design-group" aria-label="Table">
        <NameField
          what="table"
          name={model.name.name}
          onRename={(name) => session.change(renameObject(model, name), session.identity)}
        />
      </section>
      {fullText && <FullTextForm session={session} database={database} model={fullText} />}
      {rtree && <RTreeForm session={session} model={rtree} />}
    </>
  );
}
