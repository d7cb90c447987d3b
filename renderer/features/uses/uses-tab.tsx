// The content of a tab about the uses of a table or column: what refers to it, with the relevant SQL.
import { useEffect, type ReactNode } from 'react';
import { toAppError, type SavedQuery, type SchemaObject, type SchemaUse } from '#shared/protocol/index.ts';
import { visibleName } from '#shared/visible-text.ts';
import { create } from 'zustand';
import { client } from '../../connection/database-client.ts';
import { useColumns, useSchema } from '../../state/schema.ts';
import { updateTab, useStore } from '../../state/store.ts';
import type { TabContentProps } from '../../state/tab-kinds.ts';
import { tabSessions } from '../../state/tab-sessions.ts';
import { CenterMessage } from '../../ui/center-message.tsx';
import { formatCount } from '../../ui/format.ts';
import { ContextMenu } from '../../ui/menu.tsx';
import { RunBar, Running } from '../../ui/run-bar.tsx';
import { Select } from '../../ui/select.tsx';
import { useCommand } from '../../workbench/commands/commands.ts';
import { openObjectDesign } from '../../workbench/tabs/design.ts';
import { objectMenu, openObject } from '../../workbench/objects/object-menu.ts';
import { openSavedQuery, useSavedQueries } from '../../workbench/text/saved-queries.ts';
import type { ShownWork } from '../../workbench/jobs.ts';
import type { UsesTab } from '../../workbench/tabs/uses.ts';
import { queriesNaming } from '../../workbench/text/naming-queries.ts';
import { groupUses, type UseItem } from './use-groups.ts';
import './uses.css';

const WHOLE = '';

export function UsesTabContent({ tab }: TabContentProps<UsesTab>): ReactNode {
  const session = usesSessionOf(tab);
  const view = session.useView();
  const schemaVersion = useSchema(tab.database)?.schemaVersion;
  const isActive = useStore(({ activeTabId }) => activeTabId === tab.id);
  useEffect(() => {
    if (schemaVersion !== undefined) session.follow(tab, schemaVersion);
  }, [session, tab, schemaVersion]);
  useCommand('work.stop', () => session.stop(), isActive && view.running !== null);
  useCommand('view.refresh', () => session.lookAgain(tab), isActive);
  return (
    <div className="stack shrink-y full-height">
      <RunBar label="Uses">
        <Subject tab={tab} />
        {view.running ? (
          <Running
            work={{ ...view.running, progress: null }}
            text={view.running.progress?.phase ?? 'Searching'}
            stopTitle="Stop searching"
            onStop={() => session.stop()}
            meanwhile={<span className="grow" />}
          />
        ) : (
          <span className="grow" />
        )}
      </RunBar>
      <div
        className="fill scroll quiet-focus uses-list"
        role="region"
        aria-label={titleOf(tab)}
        tabIndex={0}
        data-pane
        data-first-focus
      >
        <Found tab={tab} session={session} view={view} />
      </div>
    </div>
  );
}

/** A column can be chosen here, too. */
function Subject({ tab: { id, database, table, column } }: { readonly tab: UsesTab }): ReactNode {
  const columns =
    useColumns(database)?.find((one) => one.table === table)?.columns ?? (column === null ? [] : [column]);
  return (
    <>
      <span className="cut shrink-x strong">What uses {visibleName(table)}</span>
      <Select
        label="Column"
        value={column ?? WHOLE}
        options={[[WHOLE, 'Whole table'], ...columns.map((name) => [name, visibleName(name)] as const)]}
        onChoose={(chosen) => updateTab<UsesTab>(id, { column: chosen === WHOLE ? null : chosen })}
      />
    </>
  );
}

const titleOf = ({ table, column }: UsesTab): string =>
  `Uses of ${visibleName(table)}${column === null ? '' : `.${visibleName(column)}`}`;

interface FoundProps {
  readonly tab: UsesTab;
  readonly session: UsesSession;
  readonly view: UsesView;
}

function Found({ tab, session, view: { uses, running, failure } }: FoundProps): ReactNode {
  const schema = useSchema(tab.database);
  const saved = useSavedQueries((state) => state.queries);
  if (failure !== null || (uses === null && running === null))
    return (
      <CenterMessage
        role="alert"
        text={failure ?? 'The search was stopped before anything was found.'}
        onTryAgain={() => session.lookAgain(tab)}
      />
    );
  if (uses === null) return <p className="dim uses-note">Searching for uses</p>;
  const groups = groupUses(uses, tab.table);
  const queries = queriesNaming(saved ?? [], tab);
  const objectOf = (name: string, kind: string): SchemaObject | null =>
    schema?.objects.find((object) => object.name === name && object.kind === kind) ?? null;
  return (
    <>
      {groups.length === 0 && <p role="status">Nothing in this database uses it.</p>}
      {groups.map(({ title, items }) => (
        <section key={title} aria-label={title}>
          <h2>
            {title} <span className="figures faint uses-count">{formatCount(items.length)}</span>
          </h2>
          <ul>
            {items.map((item, index) => (
              <Item key={index} tab={tab} item={item} object={objectOf(item.use.name, item.use.kind)} />
            ))}
          </ul>
        </section>
      ))}
      {queries.length > 0 && <Queries queries={queries} />}
      <p className="dim uses-note">
        Found by letting SQLite compile every view, trigger, and index without it. Saved queries are found by name.
        Queries in SQL tabs and in other programs are not part of the database.
      </p>
    </>
  );
}

function Queries({ queries }: { readonly queries: readonly SavedQuery[] }): ReactNode {
  return (
    <section aria-label="Saved queries that mention it">
      <h2>
        Saved queries that mention it <span className="figures faint uses-count">{formatCount(queries.length)}</span>
      </h2>
      <ul>
        {queries.map((query) => (
          <li key={query.id}>
            <div className="gap-6 break-words uses-head">
              <button type="button" className="link-button" onClick={() => void openSavedQuery(query, false)}>
                {visibleName(query.name)}
              </button>
              {query.folder !== '' && <span className="dim">in {visibleName(query.folder)}</span>}
            </div>
            <pre className="sql-block">{query.sql}</pre>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ItemProps {
  readonly tab: UsesTab;
  readonly item: UseItem;
  /** Null if it is temporary. */
  readonly object: SchemaObject | null;
}

function Item({ tab: { database, table }, item: { use, what }, object }: ItemProps): ReactNode {
  const isOwn = what !== null;
  const isPart = use.kind === 'index' || use.kind === 'trigger';
  // The rows of an index or trigger are those of its table, which the user knows already.
  const show = (shown: SchemaObject): void =>
    isPart ? openObjectDesign(database, shown) : openObject(database, shown, false);
  const sql = use.part?.sql ?? object?.sql ?? null;
  return (
    <ContextMenu entriesAt={() => (object ? objectMenu(database, object) : [])}>
      <li>
        <div className="gap-6 break-words uses-head">
          {isOwn && <span>{what}</span>}
          {!isOwn && object && (
            <button type="button" className="link-button" onClick={() => show(object)}>
              {visibleName(use.name)}
            </button>
          )}
          {!isOwn && !object && <span>{visibleName(use.name)}</span>}
          {isPart && use.table !== table && <span className="dim">of {visibleName(use.table)}</span>}
        </div>
        {sql !== null && <pre className="sql-block">{sql}</pre>}
      </li>
    </ContextMenu>
  );
}

// State of a tab about the uses of a table: what was found, for which table, column, and version of the schema.

interface UsesView {
  /** Null until they were found for the first time. Earlier results stay while Sidelite searches again. */
  readonly uses: readonly SchemaUse[] | null;
  readonly running: ShownWork | null;
  /** Why the search failed; null if it succeeded or was stopped. */
  readonly failure: string | null;
}

const usesSessionOf = tabSessions((tab: UsesTab) => new UsesSession(tab));

class UsesSession {
  readonly useView = create<UsesView>(() => ({ uses: null, running: null, failure: null }));
  readonly #database: string;
  #asked = '';
  #abort: AbortController | null = null;

  constructor({ database }: UsesTab) {
    this.#database = database;
  }

  /** Searches again if the tab shows something else, or if the schema has changed. */
  follow({ table, column }: UsesTab, schemaVersion: number): void {
    const about = JSON.stringify([table, column]);
    const asked = JSON.stringify([about, schemaVersion]);
    if (asked === this.#asked) return;
    const isSame = this.#asked !== '' && JSON.parse(this.#asked)[0] === about;
    this.#asked = asked;
    void this.#look(table, column, isSame);
  }

  lookAgain({ table, column }: UsesTab): void {
    void this.#look(table, column, true);
  }

  stop(): void {
    const { running } = this.useView.getState();
    if (!running) return;
    this.useView.setState({ running: { ...running, stopping: true } });
    this.#abort?.abort();
  }

  dispose(): void {
    this.#abort?.abort();
  }

  async #look(table: string, column: string | null, keepsFound: boolean): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const isCurrent = (): boolean => this.#abort === abort;
    const update = (part: Partial<UsesView>): void => {
      if (isCurrent()) this.useView.setState(part);
    };
    const running = { startedAtMs: performance.now(), progress: null, stopping: false };
    update({ failure: null, running, ...(!keepsFound && { uses: null }) });
    try {
      const uses = await client.call(
        'schema.uses',
        { database: this.#database, table, column },
        {
          signal: abort.signal,
          onChunk: (progress) => update({ running: { ...running, progress } }),
        },
      );
      update({ uses, running: null });
    } catch (thrown) {
      const { code, message } = toAppError(thrown);
      update({ running: null, failure: code === 'stopped' ? null : message });
    }
  }
}
