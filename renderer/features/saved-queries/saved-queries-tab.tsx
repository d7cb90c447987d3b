// The tab that shows saved queries and snippets: search, the list by folder, and the selected one to use or change.
import { useId, useRef, useLayoutEffect, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import type { SavedQuery } from '#shared/protocol/index.ts';
import { updateTab, useStore } from '../../state/store.ts';
import { plural } from '../../ui/format.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { CenterMessage } from '../../ui/center-message.tsx';
import { TextField } from '../../ui/text-field.tsx';
import {
  applySavedQuery,
  deleteSavedQuery,
  openSavedQuery,
  useSavedQueries,
  changeSavedQuery,
  SHORTCUTS,
} from '../../workbench/text/saved-queries.ts';
import { foldersOf, folderIn, tagsIn } from './query-list.ts';
import type { SavedQueriesTab } from '../../workbench/tabs/saved-queries.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import '../../ui/list-view.css';
import './saved-queries.css';

export function SavedQueriesTabContent({ tab }: { readonly tab: SavedQueriesTab }): ReactNode {
  const queries = useSavedQueries((state) => state.queries);
  const folders = foldersOf(queries ?? [], tab.words);
  const listed = folders.flatMap((folder) => folder.queries);
  const shown = listed.find(({ id }) => id === tab.shown) ?? listed[0] ?? null;
  const change = (patch: Partial<SavedQueriesTab>): void => updateTab<SavedQueriesTab>(tab.id, patch);
  return (
    <div className="tab-page">
      <div className="list-view-bar" role="toolbar" aria-label="Saved queries">
        <TextField
          type="search"
          className="list-view-search"
          aria-label="Search saved queries"
          placeholder="Search names, folders, #tags, and SQL"
          value={tab.words}
          onChange={(event) => change({ words: event.target.value })}
        />
        <span className="list-view-size">{queries && plural(queries.length, 'saved query', 'saved queries')}</span>
      </div>
      {shown ? (
        <div className="list-view-panes">
          <QueryListBox folders={folders} shown={shown} onShow={(id) => change({ shown: id })} />
          <SavedQueryForm
            key={shown.id}
            query={shown}
            folders={[...new Set((queries ?? []).map((one) => one.folder))]}
          />
        </div>
      ) : (
        queries && (
          <CenterMessage
            {...(queries.length > 0
              ? { title: 'No matching saved queries', text: 'Change the search above.' }
              : { title: 'No saved queries yet', text: HOW_TO_SAVE })}
          />
        )
      )}
    </div>
  );
}

const HOW_TO_SAVE =
  'Choose “Save Query…” in an SQL tab to keep its text under a name, in a folder, with tags, for one database or all.';

interface QueryListBoxProps {
  readonly folders: ReturnType<typeof foldersOf>;
  readonly shown: SavedQuery;
  readonly onShow: (id: string) => void;
}

function QueryListBox({ folders, shown, onShow }: QueryListBoxProps): ReactNode {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const all = folders.flatMap(({ queries }) => queries);
  const at = all.indexOf(shown);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    if (step !== undefined) {
      const next = all[Math.max(0, Math.min(all.length - 1, at + step))]!;
      onShow(next.id);
      list.current?.querySelector(`[data-query="${next.id}"]`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void openSavedQuery(shown, true);
    else if (event.key === 'Enter') applySavedQuery(shown);
    else if (event.key === 'Delete') void deleteSavedQuery(shown);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={list}
      className="inner-focus list-view-list"
      role="listbox"
      aria-label="Saved queries"
      aria-activedescendant={`${id}-${at}`}
      tabIndex={0}
      data-pane
      data-first-focus
      onKeyDown={onKeyDown}
    >
      {folders.map(({ name, queries }) => (
        <div key={name} role="group" aria-label={name === '' ? 'No folder' : name}>
          {(name !== '' || folders.length > 1) && (
            <div className="fine-print strong list-view-heading" role="presentation">
              {name === '' ? 'No folder' : name}
            </div>
          )}
          {queries.map((query) => (
            <QueryItem
              key={query.id}
              id={`${id}-${all.indexOf(query)}`}
              query={query}
              isShown={query === shown}
              onShow={onShow}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

interface QueryItemProps {
  readonly id: string;
  readonly query: SavedQuery;
  readonly isShown: boolean;
  readonly onShow: (id: string) => void;
}

function QueryItem({ id, query, isShown, onShow }: QueryItemProps): ReactNode {
  const entry = useStore(({ entries }) => entries?.find((one) => one.id === query.database));
  const place = query.database === null ? 'All databases' : (entry?.name ?? 'A database no longer in the library');
  return (
    <div
      id={id}
      className="list-view-item saved-queries-item"
      role="option"
      aria-selected={isShown}
      data-query={query.id}
      onClick={() => onShow(query.id)}
      onDoubleClick={() => applySavedQuery(query)}
    >
      <span>{query.name}</span>
      <span className="note list-view-facts">
        {[
          query.kind === 'snippet' && 'Snippet',
          place,
          query.shortcut !== null && commandKeyLabel(`savedQueries.use${query.shortcut as 1}`),
          ...query.tags.map((tag) => `#${tag}`),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </div>
  );
}

type Patch = Parameters<typeof changeSavedQuery>[1];

interface SavedQueryFormProps {
  readonly query: SavedQuery;
  readonly folders: readonly string[];
}

function SavedQueryForm({ query, folders }: SavedQueryFormProps): ReactNode {
  const change = (patch: Patch): void => changeSavedQuery(query.id, patch);
  const text = useSavedText<HTMLTextAreaElement>(query.sql, (sql) => change({ sql }));
  return (
    <section className="list-view-details saved-query" aria-label="Selected query">
      <div className="row wrap gap-6">
        <Button size="small" variant="primary" onClick={() => void openSavedQuery(query, false)}>
          Open in SQL tab
        </Button>
        <Button size="small" onClick={() => void openSavedQuery(query, true)}>
          Open and run
        </Button>
        <Button size="small" variant="danger" onClick={() => void deleteSavedQuery(query)}>
          Delete
        </Button>
      </div>
      <Properties query={query} folders={folders} onChange={change} />
      <textarea
        ref={text}
        className="text-color grow saved-query-sql"
        aria-label="SQL"
        spellCheck={false}
        defaultValue={query.sql}
        onBlur={({ target }) => target.value !== query.sql && change({ sql: target.value })}
      />
    </section>
  );
}

interface PropertiesProps extends SavedQueryFormProps {
  readonly onChange: (patch: Patch) => void;
}

function Properties({ query, folders, onChange }: PropertiesProps): ReactNode {
  const foldersId = useId();
  return (
    <div className="saved-query-fields">
      <Field
        label="Name"
        value={query.name}
        why={(name) => (name.trim() === '' ? `A saved query needs a name, so “${query.name}” was kept.` : null)}
        onCommit={(name) => onChange({ name })}
      />
      <Field
        label="Folder"
        value={query.folder}
        list={foldersId}
        placeholder="sales/reports"
        onCommit={(folder) => onChange({ folder: folderIn(folder) })}
      />
      <datalist id={foldersId}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <Field
        label="Tags"
        value={query.tags.join(' ')}
        placeholder="daily customers"
        onCommit={(tags) => onChange({ tags: tagsIn(tags) })}
      />
      <ForDatabase query={query} onChange={onChange} />
      <label>
        Use as
        <Select
          label="Use as"
          value={query.kind}
          options={[
            ['query', 'Query'],
            ['snippet', 'Snippet'],
          ]}
          onChoose={(kind) => onChange({ kind })}
        />
      </label>
      <label>
        Shortcut
        <Select
          label="Shortcut"
          value={String(query.shortcut ?? '')}
          options={[['', 'None'], ...SHORTCUTS.map((digit) => [`${digit}`, keyOf(digit)] as const)]}
          onChoose={(digit) => onChange({ shortcut: digit === '' ? null : Number(digit) })}
        />
      </label>
    </div>
  );
}

const keyOf = (digit: (typeof SHORTCUTS)[number]): string => commandKeyLabel(`savedQueries.use${digit}`) ?? '';

/** All databases, or one: the one that it belongs to, or else the current one. */
function ForDatabase({ query, onChange }: Omit<PropertiesProps, 'folders'>): ReactNode {
  const entries = useStore((state) => state.entries) ?? [];
  const current = useStore((state) => state.currentDatabase);
  const own = query.database ?? current;
  const ownName = entries.find(({ id }) => id === own)?.name ?? 'A database no longer in the library';
  return (
    <label>
      For
      <Select
        label="For"
        value={query.database ?? ''}
        options={[['', 'All databases'], ...(own === null ? [] : [[own, ownName] as const])]}
        onChoose={(id) => onChange({ database: id === '' ? null : id })}
      />
    </label>
  );
}

/**
 * Shows the saved text in the same element, so that the focus stays. React reports no blur for a field that disappears with its tab, so
 * the typed text is saved then.
 */
function useSavedText<E extends HTMLInputElement | HTMLTextAreaElement>(
  value: string,
  save: (typed: string) => void,
): RefObject<E | null> {
  const element = useRef<E>(null);
  const latest = useRef({ value, save });
  useLayoutEffect(() => {
    latest.current = { value, save };
  });
  useLayoutEffect(() => {
    const field = element.current!;
    return () => {
      if (field.value !== latest.current.value) latest.current.save(field.value);
    };
  }, []);
  useLayoutEffect(() => {
    element.current!.value = value;
  }, [value]);
  return element;
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder?: string;
  readonly list?: string;
  /** Why a text is not saved; the saved one is then shown again. */
  readonly why?: (typed: string) => string | null;
  readonly onCommit: (value: string) => void;
}

/** Enter and leaving the field save; Esc restores the saved text. */
function Field({ label, value, why, onCommit, ...rest }: FieldProps): ReactNode {
  const [problem, setProblem] = useState<string | null>(null);
  const problemId = useId();
  const save = (typed: string): void => {
    if (!why?.(typed)) onCommit(typed);
  };
  const input = useSavedText<HTMLInputElement>(value, save);
  const commit = (field: HTMLInputElement): void => {
    if (field.value === value) return;
    const reason = why?.(field.value) ?? null;
    setProblem(reason);
    if (reason === null) onCommit(field.value);
    else field.value = value;
  };
  return (
    <label>
      {label}
      <input
        ref={input}
        type="text"
        className="text-color full-width text-field"
        aria-label={label}
        aria-describedby={problem === null ? undefined : problemId}
        spellCheck={false}
        autoComplete="off"
        defaultValue={value}
        onInput={() => setProblem(null)}
        onBlur={({ target }) => commit(target)}
        onKeyDown={({ key, currentTarget, nativeEvent }) => {
          if (key === 'Escape') currentTarget.value = value;
          if (key === 'Enter' && !nativeEvent.isComposing) commit(currentTarget);
        }}
        {...rest}
      />
      <span id={problemId} className="break-words error saved-query-problem" role="status">
        {problem}
      </span>
    </label>
  );
}
