// One saved query: its name, folder, tags, place, and text as fields that are saved when they are left, and its actions.
import { useId, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { SavedQuery } from '#shared/protocol/index.ts';
import { useStore } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { changeSavedQuery, deleteSavedQuery, openSavedQuery, SHORTCUTS } from '../../workbench/text/saved-queries.ts';
import { commandKeyLabel } from '../../workbench/commands/commands.ts';
import { folderIn, tagsIn } from './query-list.ts';

type Patch = Parameters<typeof changeSavedQuery>[1];

interface SavedQueryFormProps {
  readonly query: SavedQuery;
  /** Folders in use, to choose from. */
  readonly folders: readonly string[];
}

export function SavedQueryForm({ query, folders }: SavedQueryFormProps): ReactNode {
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
        className="saved-query-sql"
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
