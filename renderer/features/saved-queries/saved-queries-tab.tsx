// The tab that shows saved queries and snippets: search, the list by folder, and the selected one to use or change.
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';
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
} from '../../workbench/text/saved-queries.ts';
import { foldersOf } from './query-list.ts';
import { SavedQueryForm } from './saved-query-form.tsx';
import type { SavedQueriesTab } from '../../workbench/tabs/saved-queries.ts';
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
